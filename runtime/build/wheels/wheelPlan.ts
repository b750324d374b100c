/**
 * A wheel → the files that installing it means, by the binary distribution format (PEP 427, PyPA specifications):
 * root files, `.data` folders in their places, scripts in `bin/`, RECORD rewritten. Nothing is written here.
 */
import { ToolkitError } from '../../contract/errors.ts';
import type { ArchiveMode } from '../archive/tarHeader.ts';
import type { ZipEntry } from '../archive/zipDirectory.ts';
import type { ZipFile } from '../archive/zipFile.ts';
import { entryPointScripts } from './entryPoints.ts';
import { parseRecord, type RecordRow, recordedHash, renderRecord } from './record.ts';

/** A file of an installed wheel: spliced from the wheel, or made here. */
export interface PlannedFile {
  /** Relative to the folder of the dependency set. */
  path: string;
  mode: ArchiveMode;
  from: ZipEntry | Buffer;
}

const INSTALLER = Buffer.from('toolkit\n');
const PYTHON_LINE = '#!/usr/bin/env python3';

/**
 * Plans a wheel's installation; spliced files come in the order of their bytes.
 *
 * @throws ToolkitError WHEEL_INVALID when it is no wheel that this installer knows.
 */
export async function planWheel(zip: ZipFile): Promise<PlannedFile[]> {
  const infoDir = findInfoDir(zip);
  const byName = new Map(zip.entries.map((entry) => [entry.name, entry]));
  await checkWheelVersion(zip, byName.get(`${infoDir}/WHEEL`));
  const recordEntry = byName.get(`${infoDir}/RECORD`);
  if (!recordEntry) throw invalid(zip, 'it has no RECORD');
  const rows = new Map(
    parseRecord((await zip.contents(recordEntry)).toString()).map((row) => [row.path, row]),
  );

  const files: PlannedFile[] = [];
  const record: RecordRow[] = [];
  const infoFiles = new Set([
    `${infoDir}/RECORD`,
    `${infoDir}/INSTALLER`,
    `${infoDir}/RECORD.jws`,
    `${infoDir}/RECORD.p7s`,
  ]);
  for (const entry of zip.entries) {
    if (infoFiles.has(entry.name) || isCompiled(entry.name)) continue;
    const place = placeOf(entry.name, infoDir);
    if (place === null) continue;
    const script = place.isScript ? pythonScript(await zip.contents(entry)) : null;
    files.push({
      path: place.path,
      mode: place.isScript || entry.executable ? 0o755 : 0o644,
      from: script ?? entry,
    });
    const row = rows.get(entry.name);
    record.push(
      script ? made(place.path, script) : { path: place.path, hash: row?.hash ?? '', size: row?.size ?? '' },
    );
  }
  const entryPoints = byName.get(`${infoDir}/entry_points.txt`);
  const scripts = entryPoints ? entryPointScripts((await zip.contents(entryPoints)).toString()) : [];
  const present = new Set(files.map((file) => file.path));
  for (const script of scripts) {
    if (present.has(script.path)) continue;
    files.push({ path: script.path, mode: 0o755, from: script.bytes });
    record.push(made(script.path, script.bytes));
  }
  files.push({ path: `${infoDir}/INSTALLER`, mode: 0o644, from: INSTALLER });
  record.push(made(`${infoDir}/INSTALLER`, INSTALLER), { path: `${infoDir}/RECORD`, hash: '', size: '' });
  files.push({ path: `${infoDir}/RECORD`, mode: 0o644, from: renderRecord(record) });
  return files;
}

function findInfoDir(zip: ZipFile): string {
  const found = zip.entries.filter((entry) => /^[^/]+\.dist-info\/METADATA$/.test(entry.name));
  if (found.length !== 1) throw invalid(zip, 'it has no single .dist-info folder');
  return found[0]!.name.slice(0, -'/METADATA'.length);
}

async function checkWheelVersion(zip: ZipFile, entry: ZipEntry | undefined): Promise<void> {
  const text = entry ? (await zip.contents(entry)).toString() : '';
  const version = /^Wheel-Version:\s*(\d+)/im.exec(text)?.[1];
  if (version !== '1')
    throw invalid(zip, version ? `its wheel version ${version} is not known` : 'it has no WHEEL file');
}

/** Where a wheel's file goes; null for what is not installed. */
function placeOf(name: string, infoDir: string): { path: string; isScript: boolean } | null {
  const dataDir = `${infoDir.slice(0, -'.dist-info'.length)}.data/`;
  if (!name.startsWith(dataDir)) return { path: name, isScript: false };
  const inside = name.slice(dataDir.length);
  const slash = inside.indexOf('/');
  const path = inside.slice(slash + 1);
  switch (inside.slice(0, slash)) {
    case 'purelib':
    case 'platlib':
    case 'data':
      return { path, isScript: false };
    case 'scripts':
      return { path: `bin/${path}`, isScript: true };
    default:
      return null;
  }
}

/** A node's cache compiles once; compiled files outside of `__pycache__` are modules without a source and stay. */
function isCompiled(name: string): boolean {
  return name.includes('__pycache__/');
}

/** A script whose first line asks for the installing Python gets one that finds it; null for any other file. */
function pythonScript(bytes: Buffer): Buffer | null {
  const head = bytes.subarray(0, 9).toString('latin1');
  if (!head.startsWith('#!python')) return null;
  const end = bytes.indexOf('\n');
  return Buffer.concat([Buffer.from(PYTHON_LINE), end < 0 ? Buffer.from('\n') : bytes.subarray(end)]);
}

function made(path: string, bytes: Buffer): RecordRow {
  return { path, hash: recordedHash(bytes), size: String(bytes.length) };
}

function invalid(zip: ZipFile, why: string): ToolkitError {
  return new ToolkitError('WHEEL_INVALID', `${zip.label} cannot be used: ${why}.`, {
    hint: 'Pin another version of the package, or report the broken wheel to its publisher.',
  });
}
