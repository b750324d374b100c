/** A worker of BullMQ whose jobs do nothing. Arguments: the port of Redis, and how many jobs it runs at once. */
import { ensureBullmq } from './install.ts';

const { Worker } = ensureBullmq();
const [port, concurrency] = process.argv.slice(2).map(Number) as [number, number];
const worker = new Worker('noop', async () => {}, {
  connection: { host: '127.0.0.1', port },
  concurrency,
});
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
