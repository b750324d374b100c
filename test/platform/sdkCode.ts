/** Code parts for the toolkit's own worker, as the build writes them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** Starts platforms with it as `workerPackage`. */
export const SDK = path.resolve(import.meta.dirname, '../../runtime/python');

/** A part with `main.py`, whose queue function is `work`, served by the endpoint `one`. */
export async function codePart(main: string): Promise<Buffer> {
  const archive = pack();
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
    if (file.endsWith('.py'))
      files[`toolkit_sdk/${file}`] = readFileSync(path.join(SDK, 'toolkit_sdk', file), 'utf8');
  }
  for (const [name, text] of Object.entries(files)) archive.entry({ name, mode: 0o644 }, text);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}
