/**
 * Builds dist/ (`npm run build`): the bundles, the two wasm files, the toolkit_sdk wheel, the manifest's schema, the
 * page on findings and the licenses of bundled packages. Nothing else writes to dist/.
 */

import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { type Zippable, zipSync } from 'fflate';
import { toJSONSchema } from 'zod/mini';
import { NOTICES_FILE, noticesFor } from './notices.ts';
import { DIAGNOSTICS_PAGE } from './runtime/contract/diagnostic.ts';
import { manifestSchema } from './runtime/contract/manifestSchema.ts';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

/**
 * An ES import of a built-in Node module reads all its exports, including those it loads lazily: 10 ms for fs and util
 * alone. Loaded with `process.getBuiltinModule`, they cost nothing, and only the exports in use are read. Commander
 * imports child_process for subcommands in separate programs, which the toolkit does not use and which would load the
 * network modules.
 */
const builtins: esbuild.Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ importer, kind, path: id }) => {
      if (!isBuiltin(id) || kind === 'dynamic-import') return null;
      const name = id.replace(/^node:/, '');
      const unused = name === 'child_process' && importer.includes('/node_modules/commander/');
      const namespace = kind === 'import-statement' ? 'imported-builtin' : 'required-builtin';
      return { path: unused ? 'unused' : `node:${name}`, namespace };
    });
    build.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path: id }) => ({
      contents: `module.exports = ${id === 'unused' ? '{}' : `process.getBuiltinModule('${id}')`};`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'imported-builtin' }, async ({ path: id }) => {
      const { default: _, ...exported } = (await import(id)) as Record<string, unknown>;
      const lines = Object.keys(exported).map(
        (name) => `export const ${name} = /* @__PURE__ */ $read('${name}');`,
      );
      return {
        contents: `const $all = globalThis.process.getBuiltinModule('${id}');\nconst $read = (name) => $all[name];\nexport default $all;\n${lines.join('\n')}`,
      };
    });
  },
};

/** Keeps startExtension out of the entry: only windows with endpoints load it. */
const lazyExtension: esbuild.Plugin = {
  name: 'lazyExtension',
  setup(build) {
    build.onResolve({ filter: /\/startExtension\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './startExtension.cjs', external: true } : null,
    );
  },
};

/**
 * Where code shared by several entries goes: into chunks, which are read only when needed, or into each entry, which
 * makes few files but has to be parsed in full at every start.
 */
export type Layout = 'chunks' | 'single-files';

/** The metafile lists the files in a bundle. */
type Bundled = esbuild.BuildResult<{ metafile: true }>;

if (import.meta.main) {
  // Built next to dist/ and moved there when complete, so that a failed build leaves the last good one.
  const made = path.join(root, `.dist-${process.pid}`);
  try {
    await build(made, 'chunks');
    rmSync(path.join(root, 'dist'), { recursive: true, force: true });
    renameSync(made, path.join(root, 'dist'));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Builds the content of dist/ in a new folder. */
export async function build(dist: string, layout: Layout): Promise<void> {
  mkdirSync(dist);
  const bundled = [await bundle(dist, layout), await bundleExtension(dist), await bundlePage(dist)];
  const copied = copyWasm(dist);
  writeManifestSchema(dist);
  writeWheel(dist);
  cpSync(path.join(root, 'docs', DIAGNOSTICS_PAGE), path.join(dist, DIAGNOSTICS_PAGE));
  writeFileSync(path.join(dist, NOTICES_FILE), noticesFor([...bundled.flatMap(filesIn), ...copied]));
}

/** The files whose code is in a bundle. */
function filesIn({ metafile }: Bundled): string[] {
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path.join(root, file)] : [],
    ),
  );
}

async function bundle(dist: string, layout: Layout): Promise<Bundled> {
  const bundled = await esbuild.build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [
      { in: path.join(root, 'runtime/cli/main.ts'), out: 'cli' },
      { in: path.join(root, 'server/main.ts'), out: 'server' },
      { in: path.join(root, 'runtime/platform/main.ts'), out: 'platform' },
    ],
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: layout === 'chunks',
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    legalComments: 'none',
    define: {
      'process.env.TOOLKIT_VERSION': JSON.stringify(version),
      'process.env.TOOLKIT_READER_ID': JSON.stringify(readerId()),
      TEMPLATES: JSON.stringify(readTemplates()),
      PAGES: JSON.stringify(readPages()),
    },
    // Prefer ES modules: some libraries can be tree-shaken only in that form.
    mainFields: ['module', 'main'],
    // CommonJS libraries in an ES module bundle use `require`.
    plugins: [builtins],
    // A dependency of koa has an older copy of this list of all media types, which would be a tenth of each bundle.
    alias: { 'mime-types': createRequire(import.meta.url).resolve('mime-types') },
    banner: {
      js: `const require=(id)=>process.getBuiltinModule("node:module").createRequire(import.meta.url)(id);`,
    },
  });
  chmodSync(path.join(dist, 'cli.js'), 0o755);
  return bundled;
}

/** VS Code activates a CommonJS module 12 ms sooner than an ES module. */
async function bundleExtension(dist: string): Promise<Bundled> {
  return esbuild.build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: ['extension', 'startExtension'].map((name) => path.join(root, 'client', `${name}.ts`)),
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    external: ['vscode'],
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    // VS Code provides its API only to modules loaded with `require`.
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    mainFields: ['module', 'main'],
    plugins: [builtins, lazyExtension],
  });
}

/** The API explorer, for browsers. */
async function bundlePage(dist: string): Promise<Bundled> {
  return esbuild.build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: ['main.tsx', 'page.css'].map((file) => ({
      in: path.join(root, 'media', file),
      out: 'page',
    })),
    outdir: path.join(dist, 'media'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
}

/** HTML of the pages, by name. */
export function readPages(): Record<string, string> {
  return Object.fromEntries(
    ['index', 'signIn'].map((page) => [page, readFileSync(path.join(root, 'media', `${page}.html`), 'utf8')]),
  );
}

/** Identifies the code that reads sources: a hash over all of it. Cached facts are only valid for the same reader. */
function readerId(): string {
  const made = ['runtime/source', 'runtime/contract'].flatMap((folder) =>
    filesUnder(path.join(root, folder)).map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
  );
  return hash(
    'sha256',
    [...made, readFileSync(path.join(root, 'package-lock.json'), 'utf8')].join('\0'),
    'base64url',
  );
}

/** For editors that validate JSON files against schemas. */
function writeManifestSchema(dist: string): void {
  const schema = toJSONSchema(manifestSchema, { target: 'draft-7' });
  writeFileSync(path.join(dist, 'toolkit_manifest.schema.json'), JSON.stringify(schema));
}

/** Copies the wasm files. Returns their sources. */
function copyWasm(dist: string): string[] {
  const require = createRequire(import.meta.url);
  const grammar = path.dirname(require.resolve('tree-sitter-python/package.json'));
  const files = [
    require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
    path.join(grammar, 'tree-sitter-python.wasm'),
  ];
  for (const file of files) cpSync(file, path.join(dist, path.basename(file)));
  return files;
}

/** Template → path → text. */
export function readTemplates(): Record<string, Record<string, string>> {
  const folder = path.join(root, 'runtime/templates');
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((template) => [
        template,
        Object.fromEntries(
          filesUnder(path.join(folder, template)).map((file) => [
            // npm drops files named .gitignore from packages, so templates use the prefix `dot-`.
            file.replace(/(^|\/)dot-/, '$1.'),
            readFileSync(path.join(folder, template, file), 'utf8'),
          ]),
        ),
      ]),
  );
}

/** Writes the SDK as a reproducible wheel: sorted entries, one date, deflate compression. */
function writeWheel(dist: string): void {
  const source = path.join(root, 'runtime/python');
  const info = `toolkit_sdk-${version}.dist-info`;
  const entries: Record<string, Uint8Array> = {};
  for (const file of filesUnder(path.join(source, 'toolkit_sdk'))) {
    entries[`toolkit_sdk/${file}`] = readFileSync(path.join(source, 'toolkit_sdk', file));
  }
  const metadata = readFileSync(path.join(source, 'METADATA.in'), 'utf8').replace('@VERSION@', version);
  entries[`${info}/METADATA`] = Buffer.from(metadata);
  entries[`${info}/LICENSE`] = readFileSync(path.join(root, 'LICENSE'));
  entries[`${info}/WHEEL`] = Buffer.from(
    'Wheel-Version: 1.0\nGenerator: serverless-endpoint-toolkit\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  );
  const record = Object.entries(entries).map(
    ([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}`,
  );
  entries[`${info}/RECORD`] = Buffer.from(`${[...record, `${info}/RECORD,,`].join('\n')}\n`);
  const zip: Zippable = {};
  for (const [name, bytes] of Object.entries(entries))
    zip[name] = [bytes, { mtime: new Date(1980, 0, 1), level: 6 }];
  writeFileSync(path.join(dist, `toolkit_sdk-${version}-py3-none-any.whl`), zipSync(zip));
}

function digest(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url');
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile() && !/__pycache__|\.pyc$/.test(file))
    .map((file) => file.replaceAll(path.sep, '/'))
    .toSorted();
}
