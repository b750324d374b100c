/** Parts as the build writes them: of functions for the toolkit's own worker, and of a foreign worker. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** The folder of the toolkit's own worker. */
export const SDK = path.resolve(import.meta.dirname, '../../runtime/python');

/** A part with `main.py`, whose queue function is `work`, served by the endpoint `one`. */
export function codePart(main: string): Promise<Buffer> {
  const handler = [
    'from toolkit_sdk._worker import serve_queue',
    'STUBS = {}',
    'FUNCTION = ("main", "main.py", "work")',
    'if __name__ == "__main__":',
    '    serve_queue("one", FUNCTION, STUBS)',
    '',
  ].join('\n');
  const files: Record<string, string> = {
    'main.py': main,
    '_toolkit/handlers/one.py': handler,
    'toolkit_manifest.json': '{"resources":{},"routes":{},"handlers":{}}',
  };
  for (const file of readdirSync(path.join(SDK, 'toolkit_sdk'), { recursive: true, encoding: 'utf8' })) {
    // As in artifacts, without the code that runs workers.
    if (file.endsWith('.py') && !file.startsWith('_agent/'))
      files[`toolkit_sdk/${file}`] = readFileSync(path.join(SDK, 'toolkit_sdk', file), 'utf8');
  }
  return packPart(files);
}

const FOREIGN_FILE = 'foreign_worker.py';
/** How an endpoint runs the worker of `foreignPart`. */
export const FOREIGN_COMMAND = ['python3', FOREIGN_FILE];

/** A part with a foreign worker and a text, by which parts of one worker differ. */
export function foreignPart(text: string): Promise<Buffer> {
  const worker = readFileSync(path.join(import.meta.dirname, 'foreignWorker.py'), 'utf8');
  return packPart({ [FOREIGN_FILE]: worker, 'build.txt': text });
}

/** A part with these files. The same texts give the same bytes. */
export async function packPart(files: Record<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) {
    archive.entry({ name, mode: 0o644, mtime: new Date(0) }, text);
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

/** A package in a home, with a toolkit_sdk whose agent is another program. */
export function packageWith(home: string, agent: string): string {
  const made = path.join(home, 'package');
  cpSync(SDK, made, { recursive: true });
  writeFileSync(path.join(made, 'toolkit_sdk/_agent/__main__.py'), agent);
  return made;
}
