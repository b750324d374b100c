/**
 * Moves imports from the top of a module into the bodies that use them. What the module itself needs while it runs
 * stays, and so do names that another module imports from it.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { values } from '../binder/readExpression.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { type Fix, type FixRequest, fixOf, type TextEdit } from './Fix.ts';
import { type ImportStatement, importStatements, itemsAt, writeImport } from './importStatements.ts';
import { type NameUses, usesOf } from './importUses.ts';
import { removeItem } from './listEdits.ts';
import { SourceText } from './SourceText.ts';
import { addToBody, removeStatements } from './statementEdits.ts';

export function moveImport({ project, found }: FixRequest): Fix[] {
  return moveImports(project, found.file, [found.range]);
}

/** One fix for several findings of a file; none when it would help none of them. */
export function moveImports(project: ProjectView, file: string, ranges: readonly Range[]): Fix[] {
  const fix = project.withTree(file, (root, text) => {
    // Where the text is broken nobody knows what uses what.
    if (root.hasError) return null;
    return new ImportMove(project.index, { file, root, source: new SourceText(text) }, ranges).fix();
  });
  return fix ? [fix] : [];
}

interface Module {
  file: string;
  root: SyntaxNode;
  source: SourceText;
}

class ImportMove {
  readonly #index: ProjectIndex;
  readonly #module: Module;
  readonly #uses: ReadonlyMap<string, NameUses>;
  /** New first lines of bodies. */
  readonly #lines = new Map<SyntaxNode, string[]>();
  /** Statements that go as a whole, with the comments that stay in their place. */
  readonly #gone = new Map<number, string>();
  /** Of statements that stay with other names. */
  readonly #removals: TextEdit[] = [];
  readonly #moved: string[] = [];

  constructor(index: ProjectIndex, module: Module, ranges: readonly Range[]) {
    this.#index = index;
    this.#module = module;
    const statements = importStatements(module.root, module.source);
    const names = new Set(statements.flatMap(({ items }) => items.map(({ name }) => name)));
    this.#uses = usesOf(module.root, module.source.text, names);
    for (const statement of statements) this.#move(statement, ranges);
  }

  fix(): Fix | null {
    const { root, source, file } = this.#module;
    const removals = [...this.#removals, ...removeStatements(source, values(root), this.#gone)];
    if (removals.length === 0) return null;
    const additions = [...this.#lines].flatMap(([body, lines]) => addToBody(source, body, lines, false));
    const into = [...this.#lines.keys()].map((body) => nameOf(body, source.text));
    const what = this.#moved.join(', ');
    return fixOf(file, {
      title:
        into.length === 0
          ? `Remove the import of ${what}, which nothing here uses`
          : `Move the import of ${what} into ${into.length > 3 ? `${into.length} functions` : into.join(', ')}`,
      edits: [...removals, ...additions],
      // What nothing uses may be imported for what it does.
      safe: into.length > 0,
      preferred: true,
    });
  }

  #move(statement: ImportStatement, ranges: readonly Range[]): void {
    const { source } = this.#module;
    const asked = new Set(ranges.flatMap((range) => itemsAt(statement, range)));
    const items = statement.items.filter((item) => asked.has(item));
    const names = [...new Set(items.map(({ name }) => name))];
    if (items.length === 0 || names.some((name) => !this.#isOnlyImported(name) || this.#isImportedFrom(name)))
      return;
    const uses = names.map((name) => this.#uses.get(name)!);
    if (uses.some(({ byModule }) => byModule)) return;
    const isWhole = items.length === statement.items.length;
    const removals = isWhole ? [] : removalOf(source, statement, new Set(items));
    if (!removals) return;
    const bodies = new Set(uses.flatMap((use) => [...use.bodies]));
    for (const body of bodies) {
      const used = items.filter(({ name }) => this.#uses.get(name)!.bodies.has(body));
      this.#lines.set(body, [...(this.#lines.get(body) ?? []), ...writeImport(statement, used)]);
    }
    if (isWhole) {
      this.#gone.set(statement.at, statement.remarks.map((remark) => `${remark}${source.lineEnd}`).join(''));
    }
    this.#removals.push(...removals);
    this.#moved.push(titleOf(statement, items));
  }

  /** Whether the module binds a name by imports alone: by one, or by those of modules of one package. */
  #isOnlyImported(name: string): boolean {
    const bindings = this.#index.names.factsOf(this.#module.file)?.scopes[0]?.bindings;
    const bound = bindings && Object.hasOwn(bindings, name) ? bindings[name]! : [];
    return bound.length === 1 || (bound.length > 1 && bound.every(({ kind }) => kind === 'module'));
  }

  /** Whether another file that may declare endpoints takes the name from this one. */
  #isImportedFrom(name: string): boolean {
    const { modules } = this.#index.names;
    return this.#index.files.some(({ file, imports }) =>
      imports.some(({ target, names }) => {
        if (!names?.some((one) => one === name || one === '*')) return false;
        const stem = modules.resolve(target, file);
        return stem !== null && modules.fileOf(stem) === this.#module.file && file !== this.#module.file;
      }),
    );
  }
}

/** Takes some names out of a statement; null where comments between the names would be lost. */
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

function nameOf(body: SyntaxNode, text: string): string {
  const name = body.childForFieldName('name')!;
  return text.slice(name.startIndex, name.endIndex);
}
