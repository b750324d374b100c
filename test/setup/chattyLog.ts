/**
 * Writes the given number of numbered lines to the log of a home, then a last line to its standard error, and
 * is killed.
 */
import { writeSync } from 'node:fs';
import { openLog } from '../../runtime/platform/log.ts';

const [home, lines] = process.argv.slice(2);
const log = openLog(home!);
for (let line = 1; line <= Number(lines); line += 1) log.info({ line, filling: 'x'.repeat(900) }, 'a line');
writeSync(process.stderr.fd, '{"msg":"the last word"}\n');
process.kill(process.pid, 'SIGKILL');
