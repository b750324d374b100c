/**
 * Applies the fixes of a finding to real files and reads them again: the finding is gone, no other has
 * appeared or disappeared, the declarations differ only where they should, and Python still parses the
 * changed files.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import { FindingReader } from '../../../runtime/source/findings/FindingReader.ts';
import { fixAll, fixesFor } from '../../../runtime/source/findings/fixesFor.ts';
import type { Fix } from '../../../runtime/source/fixes/Fix.ts';
import { LiveProject } from '../../../runtime/source/snapshot/LiveProject.ts';
import type { ProjectView } from '../../../runtime/source/snapshot/ProjectView.ts';
import { runSteps } from '../../../runtime/source/steps.ts';
import { loadWasmParser } from '../../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from '../checkProject.ts';

/** Files of a project, path → text. */
export type Files = Record<string, string>;

export interface FixCase {
  /** The behavior that the case shows. */
  shows: string;
  /** The code of the finding. The first one of the project is repaired. */
  code: DiagnosticCode;
  /** The fix's title. */
  title: string | RegExp;
  before: Files;
  /** The changed files. */
  after: Files;
  /** Whether the editor offers it as the fix to apply first; not checked if absent. */
  preferred?: boolean;
  /** Changed fields of the declarations' documents. With `kind`, declarations become others. */
  changes?: readonly string[];
  /** Codes whose findings disappear or appear with the fix. */
  with?: readonly DiagnosticCode[];
}

/** A project as the editor reads it. */
export async function openProject(root: string): Promise<ProjectView> {
  const live = new LiveProject({
    root,
    parser: await loadWasmParser(),
    findings: FindingReader,
    onCrash: (file, error) => {
      throw new Error(`${file} cannot be read.`, { cause: error });
    },
  });
  runSteps(live.read());
  await live.configure();
  runSteps(live.update());
  return live.view();
}

/** All findings of a project, in order. */
export function findingsOf(project: ProjectView): Diagnostic[] {
  return [...new Set([...project.files, 'pyproject.toml'])].flatMap((file) => [
    ...project.diagnosticsOf(file),
  ]);
}

/** The texts of a project's files after a fix. */
export function applied(files: Files, fix: Fix): Files {
  const result = { ...files };
  for (const [file, edits] of fix.edits) {
    const document = TextDocument.create(file, '', 0, files[file] ?? '');
    result[file] = TextDocument.applyEdits(document, [...edits]);
  }
  return result;
}

/** Applies a fix, reads the project again, and returns the result. */
export async function checkFix(
  files: Files,
  project: ProjectView,
  {
    fix,
    found,
    changes = [],
    others = [],
  }: {
    fix: Fix;
    found: Diagnostic | null;
    changes?: readonly string[];
    others?: readonly DiagnosticCode[];
  },
): Promise<Files> {
  const result = applied(files, fix);
  const again = await openProject(writeProject(result));
  const [before, after] = [findingsOf(project), findingsOf(again)];
  if (found) {
    const left = after.filter(({ code }) => code === found.code).length;
    const was = before.filter(({ code }) => code === found.code).length;
    assert.ok(left < was, `${found.code} is gone: ${fix.title}`);
    const kept = (list: readonly Diagnostic[]) =>
      list
        .filter(({ code }) => code !== found.code && !others.includes(code))
        .map(({ file, code }) => `${file} ${code}`)
        .toSorted();
    assert.deepEqual(kept(after), kept(before), `nothing else has come or gone: ${fix.title}`);
  }
  if (changes.includes('kind')) {
    const now = servedBy(again);
    assert.deepEqual(
      servedBy(project).filter((one) => !now.includes(one)),
      [],
      `nothing is lost: ${fix.title}`,
    );
  } else {
    assert.deepEqual(documentsOf(again, changes), documentsOf(project, changes), fix.title);
  }
  return result;
}

/** Describes cases, each of which is applied and read again. */
export function describeFixes(name: string, cases: readonly FixCase[]): void {
  describe(name, () => {
    const results: string[] = [];
    for (const one of cases) {
      it(one.shows, async () => {
        const project = await openProject(writeProject(one.before));
        const all = findingsOf(project);
        const found = all.find(({ code }) => code === one.code);
        assert.ok(found, `a finding ${one.code} among ${all.map(({ code }) => code).join(', ')}`);
        const fixes = fixesFor(project, found);
        const fix = fixes.find(({ title }) =>
          typeof one.title === 'string' ? title === one.title : one.title.test(title),
        );
        assert.ok(fix, `"${one.title}" among ${fixes.map(({ title }) => `"${title}"`).join(', ')}`);
        assert.equal(fix.preferred, one.preferred ?? fix.preferred);
        const texts = applied(one.before, fix);
        for (const [file, text] of Object.entries(one.after)) assert.equal(texts[file], text);
        const result = await checkFix(one.before, project, {
          fix,
          found,
          changes: one.changes ?? [],
          others: one.with ?? [],
        });
        assert.deepEqual(result, { ...one.before, ...one.after });
        results.push(...pythonOf(result));
      });
    }

    it('leaves code that Python parses', () => parsePython(results));
  });
}

/** Titles of the fixes for the first finding of a code, except the one that silences it. */
export async function offered(files: Files, code: DiagnosticCode): Promise<string[]> {
  const project = await openProject(writeProject(files));
  const found = findingsOf(project).find((one) => one.code === code);
  assert.ok(found, `a finding ${code}`);
  return fixesFor(project, found)
    .map(({ title }) => title)
    .filter((title) => !title.startsWith('Silence'));
}

/** Applies all safe fixes of a file. */
export async function repaired(files: Files, file: string): Promise<{ result: Files; again: ProjectView }> {
  const project = await openProject(writeProject(files));
  const fix = fixAll(project, file);
  assert.ok(fix, 'there is something to repair');
  const result = applied(files, fix);
  return { result, again: await openProject(writeProject(result)) };
}

export function pythonOf(files: Files): string[] {
  return Object.entries(files).flatMap(([file, text]) => (file.endsWith('.py') ? [text] : []));
}

/** Python's own parser accepts them all. */
export function parsePython(texts: readonly string[]): void {
  const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
  execFileSync('python3', ['-c', program], { input: JSON.stringify(texts) });
}

/** Documents without lines, and without the fields that change. */
function documentsOf({ index }: ProjectView, changes: readonly string[]): string[] {
  return index
    .endpoints()
    .map((endpoint) =>
      JSON.stringify(endpoint, (key, value: unknown) =>
        key === 'line' || changes.includes(key) ? undefined : value,
      ),
    );
}

/** The functions of all declarations, whichever these are. */
function servedBy({ index }: ProjectView): string[] {
  return index.endpoints().flatMap(({ functions }) => functions.map(({ file, name }) => `${file}:${name}`));
}
