/**
 * Collects the licenses of packages whose code is in dist/, based on the files in the bundles. The build fails if a
 * package has no license text, or a license that is not in the list.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The file in dist/. */
export const NOTICES_FILE = 'THIRD_PARTY_NOTICES.txt';

/** Licenses that allow copies in programs under any license, as long as their text is included. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);
/** Copyright lines, from the repositories, of MIT packages that contain no license file. */
const COPYRIGHTS: Readonly<Record<string, string>> = {
  'koa-compose': 'Copyright (c) 2013 TJ Holowaychuk tj@apex.sh',
};
const LICENCE_FILE = /^(?:licen[cs]e|copying|copyright|notice|third-?party-?notices?)/i;
/** Matches the innermost package in a path. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

const root = import.meta.dirname;

interface Package {
  /** Absolute path. */
  folder: string;
  name: string;
  version: string;
  license: unknown;
}

/**
 * The text of all licenses, sorted by package name.
 *
 * @param files - Absolute paths of all files whose content is in dist/. Files outside packages are the project's own.
 * @throws Error listing every package that must not be bundled.
 */
export function noticesFor(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []));
  const faults: string[] = [];
  /** License text → its packages. */
  const texts = new Map<string, string[]>();
  for (const { folder, name, version, license } of [...folders].map(readPackage).toSorted(byName)) {
    const text = licenceText({ folder, name, license });
    if (!isAccepted(license)) faults.push(`${name} has the license ${JSON.stringify(license)}.`);
    else if (text === null) faults.push(`${name} has no file with the text of its license.`);
    else texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  if (faults.length > 0)
    throw new Error(`These packages must not be bundled (notices.ts):\n  ${faults.join('\n  ')}`);
  const sections = [...texts].map(([text, packages]) => `${packages.join('\n')}\n\n${text}\n`);
  return ['The Serverless Endpoint Toolkit contains code of these packages.\n', ...sections].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Package;
  return { folder, name, version, license };
}

function byName(one: Package, other: Package): number {
  const [a, b] = [one, other].map(({ name, version }) => `${name} ${version}`);
  return a! < b! ? -1 : Number(a! > b!);
}

/** Whether the license, or one of the offered alternatives, is in the list. */
function isAccepted(license: unknown): license is string {
  if (typeof license !== 'string') return false;
  return license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => ACCEPTED.has(one));
}

function licenceText({ folder, name, license }: Omit<Package, 'version'>): string | null {
  const files = readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() && LICENCE_FILE.test(entry.name) ? [entry.name] : []))
    .toSorted();
  if (files.length > 0)
    return files.map((file) => normalise(readFileSync(path.join(folder, file), 'utf8'))).join('\n\n');
  const copyright = COPYRIGHTS[name];
  if (copyright === undefined || license !== 'MIT') return null;
  // The toolkit's own license has the same text with another copyright line.
  return normalise(readFileSync(path.join(root, 'LICENSE'), 'utf8')).replace(/^Copyright .*$/m, copyright);
}

function normalise(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
