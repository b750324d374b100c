/** `toolkit --version` over `node -e 0`. */
import path from 'node:path';
import { command, compare } from './measure.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');

await compare(
  'toolkit --version / node -e 0',
  1.5,
  { name: 'toolkit --version', run: () => command(process.execPath, [cli, '--version']) },
  { name: 'node -e 0', run: () => command(process.execPath, ['-e', '0']) },
  15,
);
