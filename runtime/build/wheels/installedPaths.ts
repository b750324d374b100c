/**
 * Keeps two wheels from writing the same path. The error names both wheels. If the bytes are equal or no code reads the file,
 * one of the two files is kept.
 */
import { hash } from 'node:crypto';
import { ToolkitError } from '../../contract/errors.ts';
import { ZipFile } from '../archive/zipFile.ts';
import { type LocalWheel, wheelLabel } from './localWheel.ts';
import type { PlannedFile } from './wheelPlan.ts';

/** Root folders that unrelated wheels often share; no code imports them. */
const FOLDERS_FOR_PEOPLE = /^(?:tests?|docs?|examples?|benchmarks?|share\/(?:doc|man|licenses))\//;
const FILES_FOR_PEOPLE =
  /(?:^|\/)(?:licen[cs]e|notice|copying|copyright|authors|contributors|readme|changes|changelog|history|news)(?:[-_.][\w-]+)?(?:\.\w+)?$/i;
const CODE_OR_DATA =
  /\.(?:pyc?|pyi|so|pth|csv|tsv|jsonl?|ya?ml|toml|xml|ini|cfg|sqlite3?|db|bin|dat|pkl|npy|npz|parquet|gz|zip)$/i;

interface Claim {
  wheel: LocalWheel;
  file: PlannedFile;
}

/** The paths of one dependency set. */
export class InstalledPaths {
  readonly #files = new Map<string, Claim>();
  /** Folder → a wheel that has a file in it. */
  readonly #folders = new Map<string, LocalWheel>();

  /**
   * Reserves a path for a wheel.
   *
   * @returns false if another wheel has already written it: the same bytes, or a file that no code reads.
   * @throws ToolkitError WHEEL_INVALID naming both wheels.
   */
  async claim(wheel: LocalWheel, file: PlannedFile): Promise<boolean> {
    const earlier = this.#files.get(file.path);
    if (earlier) {
      if (isForPeople(file.path) || (await sameBytes(earlier, { wheel, file }))) return false;
      throw clash(file.path, earlier.wheel, wheel);
    }
    const asFolder = this.#folders.get(file.path);
    if (asFolder) throw clash(file.path, asFolder, wheel);
    for (let slash = file.path.lastIndexOf('/'); slash > 0; slash = file.path.lastIndexOf('/', slash - 1)) {
      const folder = file.path.slice(0, slash);
      if (this.#folders.has(folder)) break;
      const asFile = this.#files.get(folder);
      if (asFile) throw clash(folder, asFile.wheel, wheel);
      this.#folders.set(folder, wheel);
    }
    this.#files.set(file.path, { wheel, file });
    return true;
  }
}

function isForPeople(path: string): boolean {
  return FOLDERS_FOR_PEOPLE.test(path) || (FILES_FOR_PEOPLE.test(path) && !CODE_OR_DATA.test(path));
}

async function sameBytes(a: Claim, b: Claim): Promise<boolean> {
  return sizeOf(a.file) === sizeOf(b.file) && (await digest(a)) === (await digest(b));
}

function sizeOf(file: PlannedFile): number {
  return Buffer.isBuffer(file.from) ? file.from.length : file.from.size;
}

async function digest({ wheel, file }: Claim): Promise<string> {
  if (Buffer.isBuffer(file.from)) return hash('sha256', file.from);
  const zip = await ZipFile.open(wheel.path, wheelLabel(wheel));
  try {
    return hash('sha256', await zip.contents(file.from));
  } finally {
    await zip.close();
  }
}

function clash(path: string, first: LocalWheel, second: LocalWheel): ToolkitError {
  if (first === second) {
    return new ToolkitError(
      'WHEEL_INVALID',
      `${wheelLabel(first)} contains "${path}" twice, with different contents.`,
      { hint: 'Pin another version of the package.' },
    );
  }
  return new ToolkitError(
    'WHEEL_INVALID',
    `${wheelLabel(first)} and that of ${second.name} ${second.version} both write "${path}" with different contents.`,
    { hint: 'Keep only one of them in the dependencies, or exclude one with --exclude.' },
  );
}
