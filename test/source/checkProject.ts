/**
 * A project written as one text → read for real, and compared with what the text says of itself. `=== path` begins
 * a file; a line of `^^^^ error: code` marks the range above it; `endpoints` tells each declaration in a line.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import type { Endpoint } from '../../runtime/contract/endpoint.ts';
import type { ProjectReading } from '../../runtime/source/reading.ts';
import { readProject } from '../../runtime/source/readProject.ts';

const ANNOTATION = /^( *)(\^+) (error|warning|hint): ([a-z-]+)$/;

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is gone after the tests; its name is the app's. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'source-'));
  folders.push(folder);
  const project = path.join(folder, 'project');
  mkdirSync(project);
  return project;
}

/** Writes files, path → text or bytes, and gives the project's root. */
export function writeProject(files: Record<string, string | Uint8Array>, root = makeFolder()): string {
  for (const [file, content] of Object.entries(files)) {
    const absolute = path.join(root, file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }
  return root;
}

/** What a fixture expects beside its annotations; what is left away is not compared. */
export interface Expected {
  /** As `describeEndpoint` tells them. */
  endpoints?: string[];
  messages?: RegExp[];
}

/** Reads a fixture's project and compares all diagnostics, and what else is expected. */
export async function check(fixture: string, expected: Expected = {}): Promise<ProjectReading> {
  const { files, annotations } = parseFixture(fixture);
  const reading = await readProject({ root: writeProject(files) });
  const wanted = fixture.includes('hint: missing-description') ? reading.diagnostics : toldOf(reading);
  assert.deepEqual(wanted.map(describeDiagnostic).toSorted(), annotations, explain(wanted));
  for (const { message, fix } of reading.diagnostics) {
    assert.match(message, /^[^\n]+[.?]$/, 'a message is one sentence');
    assert.match(fix ?? 'Nothing.', /^[A-Z][^\n]+\.$/, 'a fix is one sentence');
  }
  if (expected.endpoints) assert.deepEqual(reading.endpoints.map(describeEndpoint), expected.endpoints);
  for (const pattern of expected.messages ?? []) {
    assert.ok(
      reading.diagnostics.some(({ message, fix }) => pattern.test(`${message} ${fix}`)),
      `${pattern} in\n${explain(reading.diagnostics)}`,
    );
  }
  return reading;
}

/** All diagnostics but the hint that a function has no docstring, as most functions of tests have none. */
export function toldOf({ diagnostics }: ProjectReading): Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== 'missing-description');
}

/** One line: kind, name, place, hardware, workers, functions, routes, dynamic fields. */
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
  return parts.join(' | ');
}

function parseFixture(fixture: string) {
  const files: Record<string, string> = {};
  const annotations: string[] = [];
  for (const section of fixture.split(/^=== /m).slice(1)) {
    const [file, ...lines] = section.split('\n');
    const kept: string[] = [];
    for (const line of lines) {
      const match = ANNOTATION.exec(line);
      if (!match) kept.push(line);
      else
        annotations.push(
          `${file}:${kept.length - 1}:${match[1]!.length}+${match[2]!.length} ${match[3]} ${match[4]}`,
        );
    }
    files[file!.trim()] = kept.join('\n');
  }
  return { files, annotations: annotations.toSorted() };
}

/** Of a range over several lines only its first is marked, up to its end. */
function describeDiagnostic({ file, range, severity, code }: Diagnostic): string {
  const { start, end } = range;
  const length = end.line === start.line ? end.character - start.character : 1;
  return `${file}:${start.line}:${start.character}+${length} ${severity} ${code}`;
}

function explain(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((found) => `${describeDiagnostic(found)} ${found.message}`).join('\n');
}
