/**
 * Moves imports from the top of a module into the bodies that use them. An import stays when module-level
 * code needs it, or when another module imports its name from this one.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { textOf, values } from '../binder/readExpression.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { type Fix, type FixRequest, type FixText, fixOf } from './Fix.ts';
import { type ImportStatement, importStatements, itemsAt, writeImport } from './importStatements.ts';
import { usesOf } from './importUses.ts';
import { removeItem } from './listEdits.ts';
import { SourceText } from './SourceText.ts';
import { addToBody, removeStatements } from './statementEdits.ts';
import type { TextEdit } from './TextEdit.ts';

export function moveImport({ project, found }: FixRequest): Fix[] {
  return moveImports(project, found.file, [found.range]);
}

/** One fix for several findings of a file; none when it would fix none of them. */
export function moveImports(project: ProjectView, file: string, places: readonly Range[]): Fix[] {
  const fix = project.withTree(file, (root, text) => {
    // In broken code, the uses of a name are not known.
    if (root.hasError) return null;
    return moved({ index: project.index, file, root, source: new SourceText(text) }, places);
  });
  return fix ? [fixOf(file, fix)] : [];
}

interface Module {
  index: ProjectIndex;
  file: string;
  root: SyntaxNode;
  source: SourceText;
}

function moved(module: Module, places: readonly Range[]): FixText | null {
  const { root, source } = module;
  const statements = importStatements(root, source);
  const bound = new Set(statements.flatMap(({ items }) => items.map(({ name }) => name)));
  const uses = usesOf(root, source.text, bound);
  const stays = (name: string) =>
    uses.get(name)!.byModule || !isOnlyImported(module, name) || isImportedFrom(module, name);
  /** New first lines of bodies. */
  const lines = new Map<SyntaxNode, string[]>();
  /** Indices of the statements that are removed completely, with the comments that replace them. */
  const gone = new Map<number, string>();
  /** Removals from statements that keep other names. */
  const removals: TextEdit[] = [];
  const titles: string[] = [];
  for (const statement of statements) {
    const asked = new Set(places.flatMap((place) => itemsAt(statement, place)));
    const items = statement.items.filter((item) => asked.has(item));
    const isWhole = items.length === statement.items.length;
    if (items.length === 0 || items.some(({ name }) => stays(name))) continue;
    const removed = isWhole ? [] : removalOf(source, statement, asked);
    if (!removed) continue;
    for (const body of new Set(items.flatMap(({ name }) => [...uses.get(name)!.bodies]))) {
      const used = items.filter(({ name }) => uses.get(name)!.bodies.has(body));
      lines.set(body, [...(lines.get(body) ?? []), ...writeImport(statement, used)]);
    }
    if (isWhole) {
      gone.set(statement.at, statement.remarks.map((remark) => `${remark}${source.lineEnd}`).join(''));
    }
    removals.push(...removed);
    titles.push(titleOf(statement, items));
  }
  removals.push(...removeStatements(source, values(root), gone));
  if (removals.length === 0) return null;
  const additions = [...lines].flatMap(([body, added]) => addToBody(source, body, added, false));
  const into = [...lines.keys()].map((body) => textOf(body.childForFieldName('name')!, source.text));
  const where = into.length > 3 ? `${into.length} functions` : into.join(', ');
  const what = titles.join(', ');
  return {
    title:
      into.length === 0 ? `Remove the unused import of ${what}` : `Move the import of ${what} into ${where}`,
    edits: [...removals, ...additions],
    // An unused import may be there for its side effects.
    safe: into.length > 0,
    preferred: true,
  };
}

/**
 * Whether only imports bind a name in the module: one import, or several imports of modules of the same
 * package.
 */
function isOnlyImported({ index, file }: Module, name: string): boolean {
  const bindings = index.names.factsOf(file)?.scopes[0]?.bindings;
  const bound = bindings && Object.hasOwn(bindings, name) ? bindings[name]! : [];
  return bound.length === 1 || (bound.length > 1 && bound.every(({ kind }) => kind === 'module'));
}

/** Whether another file that may declare endpoints imports the name from this one. */
function isImportedFrom({ index, file }: Module, name: string): boolean {
  const { modules } = index.names;
  return index.files.some((other) =>
    other.imports.some(({ target, names }) => {
      if (!names?.some((one) => one === name || one === '*')) return false;
      const stem = modules.resolve(target, other.file);
      return stem !== null && modules.fileOf(stem) === file && other.file !== file;
    }),
  );
}

/** Removes some names from a statement; null when comments between the names would be lost. */
function removalOf(
  source: SourceText,
  { node, items, remarks, comment }: ImportStatement,
  gone: ReadonlySet<ImportStatement['items'][number]>,
): TextEdit[] | null {
  const kept = items.filter((item) => !gone.has(item));
  const list = {
    open: node.startIndex,
    close: node.endIndex,
    items: items.map((item) => ({ start: item.node.startIndex, end: item.node.endIndex })),
  };
  if (gone.size === 1)
    return removeItem(
      source,
      list,
      items.findIndex((item) => gone.has(item)),
    );
  if (comment !== null || remarks.length > 0 || items.some((item) => item.comment !== null)) return null;
  const written = kept.map((item) => item.written).join(', ');
  return [source.edit(list.items[0]!.start, list.items.at(-1)!.end, written)];
}

function titleOf({ from, items }: ImportStatement, moved: ImportStatement['items']): string {
  const isWhole = from !== null && moved.length === items.length && items.length > 1;
  return isWhole ? from.split(' ')[1]! : moved.map(({ name }) => name).join(', ');
}
