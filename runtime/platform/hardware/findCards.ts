/** Finds the GPUs of this machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { GpuMode } from '../../contract/platformOptions.ts';
import type { Log } from '../log.ts';

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 10_000;

export interface Card {
  node: string;
  /** Index among the cards of its node. */
  index: number;
  /** As the driver reports it, such as `NVIDIA L4`. */
  name: string;
}

/**
 * Lists the cards of this machine with nvidia-smi; none if it is not installed. In mode `none` it is not run.
 */
export async function findCards(mode: GpuMode, log: Log): Promise<Card[]> {
  if (mode === 'none') return [];
  try {
    const query = ['--query-gpu=index,name', '--format=csv,noheader'];
    const { stdout } = await run('nvidia-smi', query, { timeout: PROBE_TIMEOUT_MS, killSignal: 'SIGKILL' });
    return stdout.split('\n').flatMap(parseCard);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) log.warn({ err: error }, 'nvidia-smi failed: no GPUs are offered');
    return [];
  }
}

function parseCard(line: string): Card[] {
  const comma = line.indexOf(',');
  const index = Number(line.slice(0, comma));
  const name = line.slice(comma + 1).trim();
  return comma > 0 && Number.isInteger(index) && name !== '' ? [{ node: LOCAL_NODE, index, name }] : [];
}
