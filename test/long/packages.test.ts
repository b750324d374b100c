/**
 * All packages of the corpus, including large applications: no findings, however much of them is read. The
 * reading time is printed relative to a bare parse, without a limit.
 */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { namesOfDeclaration } from '../../runtime/source/references/namesOfDeclaration.ts';
import { renameName } from '../../runtime/source/references/renameName.ts';
import { renameSymbol } from '../../runtime/source/references/renameSymbol.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { checkAlone, checkBeside, USES } from '../source/checkPackage.ts';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { openFolder } from '../source/liveProject.ts';
import { ALL_PACKAGES, ensurePackages, type Package } from '../source/packages.ts';
import { decorateAll } from './decorateAll.ts';

const OWN = `from toolkit_sdk import Endpoint
api = Endpoint(name="api")
@api.get("/own")
def own():
    """Tells."""
`;

/** Invalid on purpose: with the toolkit's words in it, its syntax error is reported. */
const BROKEN: ReadonlySet<string> = new Set(['tests_syntax_error.py']);

/**
 * Correct findings for functions that were not endpoints before: they have peers, packages and few
 * descriptions.
 */
const EXPECTED: ReadonlySet<string> = new Set([
  'missing-description',
  'top-level-import',
  'top-level-peer-import',
  'undeclared-dependency',
]);

/** Names that exist only in scripts, reported correctly, and one that another module sets at run time. */
const OUTER_NAMES: Record<string, string[]> = {
  ray: ['outer-name ray/rllib/examples/_old_api_stack/centralized_critic.py: args'],
  scipy: ['LOG_START', 'LOG_END'].map((name) => `outer-name tools/write_release_and_log.py: ${name}`),
  sqlalchemy: [
    'outer-name lib/sqlalchemy/sql/type_api.py: NULLTYPE',
    ...['PYTHON_BLACK_MODE', 'RST_BLACK_MODE', 'REPORT_ONLY_DOCTEST'].map(
      (name) => `outer-name tools/format_docs_code.py: ${name}`,
    ),
  ],
  vllm: [
    'outer-name examples/applications/chatbot/gradio_webserver.py: args',
    'outer-name tools/profiler/visualize_layerwise_profile.py: args',
  ],
};

/** A project with a package's Python files, which tests can change. */
function copyOf({ folder }: Package): string {
  const project = makeFolder();
  const filter = (source: string) =>
    source.endsWith('.py') || (statSync(source, { throwIfNoEntry: false })?.isDirectory() ?? false);
  cpSync(folder, project, { recursive: true, dereference: true, filter });
  return project;
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe('packages unrelated to the toolkit', () => {
  before(() => ensurePackages(ALL_PACKAGES));

  for (const one of ALL_PACKAGES) {
    it(`${one.name}: no findings and no declarations`, () => checkAlone(one));

    it(`${one.name}: no findings next to endpoints, and no changes when these are renamed`, async () => {
      const project = await openFolder(await checkBeside(one));
      assert.deepEqual(project.diagnostics(), []);
      const view = project.view();
      const { signal } = new AbortController();
      const edits = await renameName(view, 'model', 'renamed-one', signal);
      for (const declaration of view.index.declarations.filter(({ file }) => file === USES))
        for (const bound of namesOfDeclaration(view.index, declaration).filter(({ name }) => name === 'run'))
          edits.push(...(await renameSymbol(view, bound, 'renamed_one', signal)));
      const certain = edits.filter(({ reason }) => reason !== 'maybe');
      assert.deepEqual(new Set(certain.map(({ file }) => file)), new Set([USES]));
    });

    it(`${one.name}: no findings when every file is parsed`, async (t) => {
      const root = writeProject({ 'own_endpoints.py': OWN }, copyOf(one));
      const parser = await loadWasmParser();
      let bare = 0;
      for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.py') || BROKEN.has(path.basename(file))) continue;
        appendFileSync(path.join(root, file), '\n# toolkit_sdk Endpoint\n');
        const text = readFileSync(path.join(root, file), 'utf8');
        const start = process.cpuUsage();
        parser.parse(text).delete();
        bare += cpuSince(start);
      }
      const start = process.cpuUsage();
      const reading = await readProject({ root });
      const ratio = cpuSince(start) / bare;
      t.diagnostic(`reading takes ${ratio.toFixed(1)} times a bare parse`);
      assert.deepEqual(reading.diagnostics, []);
      assert.deepEqual(
        reading.endpoints.map(({ name }) => name),
        ['api'],
      );
      assert.ok(reading.files > one.files, `${reading.files} files`);
    });

    it(`${one.name}: every function of a module can be an endpoint`, async () => {
      const root = copyOf(one);
      const { endpoints, again, maybe } = decorateAll(root);
      const reading = await readProject({ root, env: {} });
      assert.deepEqual(reading.endpoints.map(({ name }) => name).toSorted(), endpoints.toSorted());
      const found = reading.diagnostics.filter(({ code }) => !EXPECTED.has(code));
      const lost = found
        .filter(({ code }) => code === 'unsupported-form')
        .map(({ file, range }) => `${file}:${range.start.line + 1}`);
      assert.deepEqual(
        lost.filter((place) => !maybe.includes(place) || again.includes(place)).toSorted(),
        again.toSorted(),
      );
      assert.deepEqual(
        found
          .filter(({ code }) => code !== 'unsupported-form')
          .map(({ code, file, message }) => `${code} ${file}: ${message.split(' ', 1)}`),
        OUTER_NAMES[one.name] ?? [],
      );
    });
  }
});
