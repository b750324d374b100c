/**
 * Renames each name, function and instance in every layout: the project then declares the same under the new
 * name, and has the same findings.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Endpoint } from '../../runtime/contract/endpoint.ts';
import type { BoundName } from '../../runtime/source/references/BoundName.ts';
import { namesOfDeclaration } from '../../runtime/source/references/namesOfDeclaration.ts';
import type { RenameEdit } from '../../runtime/source/references/RenameEdit.ts';
import { renameName } from '../../runtime/source/references/renameName.ts';
import { renameSymbol } from '../../runtime/source/references/renameSymbol.ts';
import type { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import { LAYOUTS } from '../layouts/all.ts';
import { filesOf, type Layout } from '../layouts/layout.ts';
import { openProject } from './liveProject.ts';

const NEW_NAME = 'renamed-one';
const NEW_SYMBOL = 'renamed_one';
const signal = new AbortController().signal;

/** Files with another encoding, and links, are not texts that edits can be applied to here. */
function textsOf(layout: Layout): Record<string, string> | null {
  const files = filesOf(layout);
  const isText = Object.values(files).every((content) => typeof content === 'string');
  return isText && !layout.links ? (files as Record<string, string>) : null;
}

function applied(files: Record<string, string>, edits: readonly RenameEdit[]): Record<string, string> {
  const result = { ...files };
  const certain = edits.filter(({ reason }) => reason === 'certain' || reason === 'follows');
  for (const [file, ofFile] of Map.groupBy(certain, (edit) => edit.file)) {
    const document = TextDocument.create(file, 'python', 0, result[file]!);
    const changes = ofFile.map(({ range, text }) => ({ range, newText: text }));
    result[file] = TextDocument.applyEdits(document, changes);
  }
  return result;
}

function findings(project: LiveProject): string[] {
  return project.diagnostics().map(({ code, file, range }) => `${code} ${file}:${range.start.line}`);
}

function renamed(endpoints: readonly Endpoint[], bound: BoundName, name: string | null): Endpoint[] {
  return endpoints.map((endpoint) => ({
    ...endpoint,
    name: name !== null && endpoint.name === name ? NEW_SYMBOL : endpoint.name,
    functions: endpoint.functions.map((one) => {
      if (one.file !== bound.file) return one;
      const isOfClass = one.class?.split('.').at(-1) === bound.name;
      if (isOfClass) return { ...one, class: one.class!.replace(/[^.]+$/, NEW_SYMBOL) };
      return one.class === null && one.name === bound.name ? { ...one, name: NEW_SYMBOL } : one;
    }),
    routes: endpoint.routes.map((one) =>
      one.file === bound.file && one.function === bound.name ? { ...one, function: NEW_SYMBOL } : one,
    ),
  }));
}

/** The name of an instance in decorators is what the rename changes. */
function withoutInstances(endpoints: readonly Endpoint[]) {
  return endpoints.map((endpoint) => ({
    ...endpoint,
    routes: endpoint.routes.map(({ instance: _instance, ...route }) => route),
  }));
}

describe('a rename changes only the name in every layout', () => {
  for (const layout of LAYOUTS) {
    const files = textsOf(layout);
    if (!files) continue;
    it(layout.title, async () => {
      const project = await openProject(files);
      const view = project.view();
      const before = view.index.endpoints();
      const expectedFindings = findings(project);
      for (const name of new Set(before.flatMap((one) => one.name ?? []))) {
        const after = await openProject(applied(files, await renameName(view, name, NEW_NAME, signal)));
        const expected = before.map((one) => (one.name === name ? { ...one, name: NEW_NAME } : one));
        assert.deepEqual(after.view().index.endpoints(), expected, `the name ${name}`);
        assert.deepEqual(findings(after), expectedFindings, `findings after the name ${name}`);
      }
      for (const bound of view.index.declarations.flatMap((one) => namesOfDeclaration(view.index, one))) {
        const edits = await renameSymbol(view, bound, NEW_SYMBOL, signal);
        const after = await openProject(applied(files, edits));
        const follows = edits.some(({ reason }) => reason === 'follows') ? bound.name : null;
        const place = `${bound.name} of ${bound.file}`;
        const endpoints = after.view().index.endpoints();
        assert.deepEqual(
          withoutInstances(endpoints),
          withoutInstances(renamed(before, bound, follows)),
          place,
        );
        assert.deepEqual(findings(after), expectedFindings, `findings after ${place}`);
      }
    });
  }
});
