/** The dependencies of a built artifact, file by file beside those that `uv pip install --target` writes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildProject } from '../../runtime/build/buildProject.ts';
import { ownUv } from '../../runtime/build/dependencies/installer.ts';
import { COMMON_SET } from '../../runtime/contract/names.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { queueWorker, shareUv } from './projects.ts';
import { scratch, writeTree } from './scratch.ts';

/** What both sides have, and how they differ. */
export interface Comparison {
  packages: number;
  files: number;
  differences: string[];
}

/** Packages that have no wheel, so that both sides build one. */
const SOURCE_ONLY = ['docopt', 'hdfs', 'fairscale'];
const TARGET = ['--python-version', '3.11', '--python-platform', 'x86_64-manylinux_2_28'];

/** Files that only one side may have. */
const OWN = [
  // uv's lock of the folder.
  /^\.lock$/,
  // Who installed it.
  /\.dist-info\/(INSTALLER|REQUESTED|direct_url\.json|uv_\w+\.json)$/,
  // Compiled for another Python or path.
  /(^|\/)__pycache__\/|\.py[co]$/,
  // Headers, which no code imports.
  /^include\//,
];
const RECORD = /\.dist-info\/RECORD$/;
/** Its scripts find the interpreter on PATH, so their bytes differ. */
const BIN = /^bin\//;

/** Builds an endpoint with some requirements, and installs the same packages with uv. */
export async function compareInstall(requirements: readonly string[]): Promise<Comparison> {
  const folder = scratch('install');
  const [root, home, ours, theirs] = ['app', 'home', 'ours', 'theirs'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string, string];
  try {
    await shareUv(home);
    writeTree(root, {
      'pyproject.toml': '[tool.toolkit]\npython = "3.11"\n',
      'worker.py': queueWorker('one', `dependencies=${JSON.stringify(requirements)}`),
    });
    const built = await buildProject({
      reading: await readProject({ root }),
      toolkitHome: home,
      env: process.env,
      exclude: [],
      keepBuild: false,
      output: null,
      upgrade: false,
      signal: new AbortController().signal,
      report: () => {},
    });
    mkdirSync(ours);
    execFileSync('tar', ['xzf', built.artifact, '-C', ours]);
    const uv = (args: string[], input?: string) =>
      execFileSync(
        ownUv(home),
        [
          'pip',
          ...args,
          '--quiet',
          '--only-binary',
          ':all:',
          ...SOURCE_ONLY.flatMap((name) => ['--no-binary', name]),
          ...TARGET,
        ],
        {
          encoding: 'utf8',
          input,
          env: { ...process.env, UV_SYSTEM_CERTS: 'true' },
        },
      );
    const locked = readFileSync(path.join(ours, 'requirements.txt'), 'utf8').trim().split('\n');
    const resolved = uv(['compile', '-', '--no-header', '--no-annotate'], requirements.join('\n'))
      .trim()
      .split('\n');
    const left = new Set(built.excluded);
    const shipped = locked.filter((pin) => !left.has(pin.split('==')[0]!));
    writeFileSync(path.join(folder, 'pins.txt'), shipped.join('\n'));
    uv(['install', '--no-deps', '--target', theirs, '-r', path.join(folder, 'pins.txt')]);
    const files = filesOf(theirs);
    const differences = [
      ...listDifferences('the resolved versions', locked, resolved),
      ...compareFolders(path.join(ours, '_toolkit/dependencies', COMMON_SET), theirs),
    ];
    return { packages: shipped.length, files: files.length, differences };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compareFolders(ours: string, theirs: string): string[] {
  const [own, other] = [ours, theirs].map((folder) => filesOf(folder).filter((file) => !isOwn(file))) as [
    string[],
    string[],
  ];
  const differences = listDifferences('the files', own, other);
  const both = new Set(own).intersection(new Set(other));
  for (const file of both) {
    const [a, b] = [path.join(ours, file), path.join(theirs, file)];
    if (RECORD.test(file)) {
      differences.push(...listDifferences(file, recorded(a), recorded(b)));
      continue;
    }
    if (!BIN.test(file) && !readFileSync(a).equals(readFileSync(b))) differences.push(`${file}: other bytes`);
    if (isExecutable(a) !== isExecutable(b)) differences.push(`${file}: another mode`);
  }
  return differences;
}

function isOwn(file: string): boolean {
  return OWN.some((one) => one.test(file));
}

function isExecutable(file: string): boolean {
  return (statSync(file).mode & 0o100) !== 0;
}

/** The lines of a RECORD about files whose bytes are compared. */
function recorded(record: string): string[] {
  return readFileSync(record, 'utf8')
    .split(/\r?\n/)
    .filter((line) => {
      const file = line.split(',')[0]!;
      return file !== '' && !isOwn(file) && !RECORD.test(file) && !BIN.test(file);
    });
}

function listDifferences(what: string, ours: readonly string[], theirs: readonly string[]): string[] {
  const [own, other] = [new Set(ours), new Set(theirs)];
  return [
    ...ours.filter((one) => !other.has(one)).map((one) => `${what}: only the artifact has ${one}`),
    ...theirs.filter((one) => !own.has(one)).map((one) => `${what}: only uv has ${one}`),
  ];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );
}
