/**
 * Packs the extension: `npm run package` writes one VSIX for all platforms into the project's root. A test compares its
 * content with a fixed list.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { unzipSync } from 'fflate';
import { build } from './esbuild.ts';
import { NOTICES_FILE } from './notices.ts';

/** Limits for the download, and for the files that an editor unpacks and scans. */
const BYTES_LIMIT = 1_500_000;
const FILES_LIMIT = 25;

/** Path in the root → path in the extension. The marketplace page has its own text. */
const COPIED = {
  'docs/marketplace.md': 'README.md',
  'package.nls.json': 'package.nls.json',
  'media/icons/endpoint.svg': 'media/icons/endpoint.svg',
  'media/icons/icon.png': 'media/icons/icon.png',
  'media/walkthrough': 'media/walkthrough',
  syntaxes: 'syntaxes',
};

/** Fields of package.json that are only for npm and development. */
const NOT_THE_EXTENSIONS = [
  'private',
  'bin',
  'files',
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'allowScripts',
];

const root = import.meta.dirname;

const stage = mkdtempSync(path.join(tmpdir(), 'toolkit-vsix-'));
try {
  await writeExtension(stage);
  const packed = path.join(stage, 'packed.vsix');
  await createVSIX({ cwd: stage, packagePath: packed, dependencies: false, allowMissingRepository: true });
  requireLimits(packed);
  moveToRoot(packed);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

async function writeExtension(folder: string): Promise<void> {
  await build(path.join(folder, 'dist'), 'single-files');
  for (const [from, to] of Object.entries(COPIED)) {
    mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
    cpSync(path.join(root, from), path.join(folder, to), { recursive: true });
  }
  // One file for the toolkit's license and those of others: editors scan each file, and the marketplace shows this one.
  const notices = path.join(folder, 'dist', NOTICES_FILE);
  const licenses = [path.join(root, 'LICENSE'), notices].map((file) => readFileSync(file, 'utf8'));
  writeFileSync(path.join(folder, 'LICENSE'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
  rmSync(notices);
  // Without this file, vsce warns that everything is packed.
  writeFileSync(path.join(folder, '.vscodeignore'), '');
  // Remove links to files of the repository.
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(
    path.join(folder, 'CHANGELOG.md'),
    changelog.replace(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, '$1'),
  );
  const manifest = Object.entries(readManifest()).filter(([key]) => !NOT_THE_EXTENSIONS.includes(key));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(Object.fromEntries(manifest)));
}

function requireLimits(file: string): void {
  const { size } = statSync(file);
  const names = Object.keys(unzipSync(readFileSync(file)));
  if (size > BYTES_LIMIT)
    throw new Error(
      `The VSIX has ${size} bytes; the limit is ${BYTES_LIMIT}. See the sizes in the list above.`,
    );
  if (names.length > FILES_LIMIT)
    throw new Error(
      `The VSIX has ${names.length} files; the limit is ${FILES_LIMIT}. Merge or exclude some of them.`,
    );
}

/** Copies before renaming: the temporary folder can be on another disk, and nobody must see a partial VSIX. */
function moveToRoot(file: string): void {
  const { name, version } = readManifest();
  const target = path.join(root, `${name}-${version}.vsix`);
  const copy = `${target}.${process.pid}`;
  copyFileSync(file, copy);
  renameSync(copy, target);
}

function readManifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
}
