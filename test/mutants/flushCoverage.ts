/** Preloaded into all processes of a test: a platform writes its coverage every few seconds, since some tests kill it. */
import { takeCoverage } from 'node:v8';

const FLUSH_MS = 2_000;

if (process.argv[1]?.endsWith('platform/main.ts') || process.argv[1]?.endsWith('dist/platform.js'))
  setInterval(takeCoverage, FLUSH_MS).unref();
