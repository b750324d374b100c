/**
 * Reads a project written as one text (see fixture.ts), and compares the result with the expectations in the
 * text. `endpoints` has one line for each declaration.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { Diagnostic, Range } from '../../runtime/contract/diagnostic.ts';
import type { Endpoint } from '../../runtime/contract/endpoint.ts';
import type { ProjectReading } from '../../runtime/source/reading.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { type ExpectedFinding, type Fixture, parseFixture } from './fixture.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed after the tests; its name is the app's. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'source-'));
  folders.push(folder);
  const project = path.join(folder, 'project');
  mkdirSync(project);
  return project;
}

/** Writes files, path → text or bytes, and returns the project's root. */
export function writeProject(files: Record<string, string | Uint8Array>, root = makeFolder()): string {
  for (const [file, content] of Object.entries(files)) writeFileSync(placeFor(root, file), content);
  return root;
}

/** Writes a fixture's files and links, and returns the project's root. */
export function writeFixture({ files }: Fixture, root = makeFolder()): string {
  for (const [file, content] of Object.entries(files)) {
    if ('link' in content) symlinkSync(content.link, placeFor(root, file));
    else writeFileSync(placeFor(root, file), content.bytes);
  }
  return root;
}

function placeFor(root: string, file: string): string {
  const absolute = path.join(root, file);
  mkdirSync(path.dirname(absolute), { recursive: true });
  return absolute;
}

/** What a fixture expects in addition to its marks. Omitted fields are not compared. */
export interface Expected {
  /** As printed by `describeEndpoint`. */
  endpoints?: string[];
  messages?: RegExp[];
  /** A code that is compared even without a mark. Only `missing-description` needs this. */
  also?: string;
}

/** Reads a fixture's project and compares all diagnostics and the other expectations. */
export async function check(text: string, expected: Expected = {}): Promise<ProjectReading> {
  const fixture = parseFixture(text);
  // Packages installed on this machine are ignored.
  const reading = await readProject({ root: writeFixture(fixture), env: {} });
  compareFindings(reading.diagnostics, fixture.findings, expected.also);
  for (const { message, fix } of reading.diagnostics) {
    assert.match(message, /^[^\n]+[.?]$/, 'a message is one sentence');
    assert.match(fix ?? 'Nothing.', /^[A-Z][^\n]+\.$/, 'a fix is one sentence');
  }
  if (expected.endpoints) assert.deepEqual(reading.sites.map(describeEndpoint), expected.endpoints);
  for (const pattern of expected.messages ?? []) {
    assert.ok(
      reading.diagnostics.some(({ message, fix }) => pattern.test(`${message} ${fix}`)),
      `${pattern} in\n${reading.diagnostics.map((found) => describeFinding(found, found)).join('\n')}`,
    );
  }
  return reading;
}

/**
 * Compares findings with a fixture's. Most functions of fixtures have no docstring, so that hint counts only
 * where it is marked.
 */
export function compareFindings(
  found: readonly Diagnostic[],
  expected: readonly ExpectedFinding[],
  also?: string,
): void {
  const quiet = 'missing-description';
  const isAsked = also === quiet || expected.some(({ code }) => code === quiet);
  const counted = found.filter(({ code }) => isAsked || code !== quiet);
  const hasTexts = new Map(
    expected.map((finding) => [describeFinding(finding, null), finding.texts !== null]),
  );
  assert.deepEqual(
    counted
      .map((finding) =>
        describeFinding(finding, hasTexts.get(describeFinding(finding, null)) ? finding : null),
      )
      .toSorted(),
    expected.map((finding) => describeFinding(finding, finding.texts)).toSorted(),
    counted.map((finding) => describeFinding(finding, finding)).join('\n'),
  );
}

/**
 * All diagnostics except the hint that a function has no docstring, since most functions of tests have none.
 */
export function countedFindings({ diagnostics }: ProjectReading): Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== 'missing-description');
}

/** One line: kind, name, location, hardware, workers, functions, routes, dynamic fields. */
export function describeEndpoint(endpoint: Endpoint): string {
  const { kind, name, file, line, hardware, workers, functions, routes, dynamic } = endpoint;
  const device = hardware && ('gpu' in hardware ? hardware.gpu : hardware.cpu);
  const parts = [
    kind,
    name ?? '?',
    `${file}:${line}`,
    device ?? '?',
    workers ? `${workers.min}-${workers.max}` : '?',
  ];
  if (kind === 'queue')
    parts.push(
      ...functions.map(
        (served) =>
          `${served.module}:${[served.class, served.name].filter(Boolean).join('.')}:${served.line}`,
      ),
    );
  parts.push(
    ...routes.map((route) => `${route.method} ${route.path} ${route.module}:${route.function}:${route.line}`),
  );
  if (dynamic.length > 0) parts.push(`dynamic ${dynamic.join(',')}`);
  if (endpoint.alternative) parts.push('alternative');
  return parts.join(' | ');
}

/** Lines and columns from 0, as in the marks of fixtures. */
function describeFinding(
  { file, range, severity, code }: Pick<Diagnostic, 'file' | 'range' | 'severity' | 'code'>,
  texts: ExpectedFinding['texts'],
): string {
  const lines = [`${file}:${describeRange(range)} ${severity}: ${code}`];
  if (texts) {
    lines.push(`> ${texts.message}`);
    if (texts.fix !== null) lines.push(`> Fix: ${texts.fix}`);
    const related = texts.related.map(
      (place) => `> [${place.file}:${describeRange(place.range)}] ${place.message}`,
    );
    lines.push(...related);
  }
  return lines.join('\n  ');
}

function describeRange({ start, end }: Range): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}
