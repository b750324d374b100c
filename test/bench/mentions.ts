/**
 * 13,000 files, of which 100 use the word Endpoint in code of other packages and 20 declare: the second
 * `list` over `grep -rl` and the start of Node, and the memory of a server over a null server's.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildNullServer, EditorSession, SERVER } from './editorSession.ts';
import { growTree, libraryModules } from './largeTree.ts';
import { command, compare } from './measure.ts';

const MENTIONING = 100;
const MB = 1_000_000;

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const outside = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const env = { ...process.env, TOOLKIT_HOME: path.join(outside, 'home') };
try {
  const files = growTree(folder);
  mention();
  const list = () => command(process.execPath, [cli, 'list'], { cwd: folder, env });
  list();
  await compare(
    `second list of ${files} files / grep -rl Endpoint + node -e 0`,
    2.5,
    { name: 'list', run: list },
    {
      name: 'grep -rl and node -e 0',
      run: () => {
        command('grep', ['-rl', 'Endpoint', folder]);
        command(process.execPath, ['-e', '0']);
      },
    },
  );

  const empty = await EditorSession.start(await buildNullServer(outside), folder);
  const ours = await EditorSession.start(SERVER, folder);
  // Until idle servers have released unused memory.
  await wait(3_000);
  const over = (ours.memory() - empty.memory()) / MB;
  process.stdout.write(
    `server memory where ${MENTIONING} files mention the word, over the null server: ${over.toFixed(1)} MB (goal ≤ 40)\n`,
  );
  await ours.stop();
  await empty.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
}

/** Real modules that define a class of that name, import one of another package, or read it from a module. */
function mention(): void {
  const modules = libraryModules(folder)
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^class \w+/m.test(text) && !/\bEndpoint\b/.test(text))
    .slice(0, MENTIONING);
  for (const [at, { file, text }] of modules.entries()) {
    const own = /^class (\w+)/m.exec(text)![1]!;
    const written = [
      text.replaceAll(new RegExp(`\\b${own}\\b`, 'g'), 'Endpoint'),
      `from service_client.models import Endpoint\n${text}`,
      `import service_client\n${text}\n\ndef connect(url):\n    return service_client.Endpoint(url)\n`,
    ];
    writeFileSync(file, written[at % written.length]!);
  }
}
