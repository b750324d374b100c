/** Small wheels for tests, written like publishers write them. */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ZipMember, zipBytes } from './zipBytes.ts';

/** A wheel's own contents; what every wheel has is added. */
export interface WheelContents {
  name: string;
  version?: string;
  files?: Record<string, string | Buffer>;
  members?: ZipMember[];
  requires?: string[];
  entryPoints?: string;
  tag?: string;
  zip64End?: boolean;
  wheelVersion?: string;
}

/** The text of a wheel's METADATA. */
export function wheelMetadata({ name, version = '1.0', ...contents }: WheelContents): string {
  const requires = (contents.requires ?? []).map((one) => `Requires-Dist: ${one}\n`).join('');
  return `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requires}`;
}

/** The bytes of a wheel. */
export function wheelBytes(contents: WheelContents): Buffer {
  const { name, version = '1.0', tag = 'py3-none-any' } = contents;
  const info = `${name.replaceAll('-', '_')}-${version}.dist-info`;
  const members: ZipMember[] = [
    ...Object.entries(contents.files ?? {}).map(([file, content]) => ({ name: file, content })),
    ...(contents.members ?? []),
    { name: `${info}/METADATA`, content: wheelMetadata(contents) },
    {
      name: `${info}/WHEEL`,
      content: `Wheel-Version: ${contents.wheelVersion ?? '1.0'}\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tag}\n`,
    },
    ...(contents.entryPoints ? [{ name: `${info}/entry_points.txt`, content: contents.entryPoints }] : []),
  ];
  const record = members.map((member) => {
    const content = Buffer.from(member.content);
    return `${member.name.toString()},sha256=${hash('sha256', content, 'base64url')},${content.length}\n`;
  });
  members.push({ name: `${info}/RECORD`, content: `${record.join('')}${info}/RECORD,,\n` });
  return zipBytes(members, { zip64End: contents.zip64End ?? false });
}

/** A wheel's canonical file name. */
export function wheelName({ name, version = '1.0', tag = 'py3-none-any' }: WheelContents): string {
  return `${name.replaceAll('-', '_')}-${version}-${tag}.whl`;
}

/** Writes a wheel into a folder under its canonical name. */
export function writeWheel(folder: string, contents: WheelContents): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, wheelName(contents));
  writeFileSync(file, wheelBytes(contents));
  return file;
}
