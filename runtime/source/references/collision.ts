/**
 * A rename in one file → where the new name already means something else, so that the rename would change what the code
 * does.
 */
import type { Position } from '../../contract/diagnostic.ts';
import { type LexicalScope, ownerOf, scopesAround } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import { NameWalk } from '../binder/NameWalk.ts';
import { values } from '../binder/readExpression.ts';
import { WordPlaces } from '../binder/WordPlaces.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Steps } from '../steps.ts';
import { placeKey, rangeOf } from '../syntax/range.ts';
import type { FoundUse } from './findUses.ts';
import { moduleScope, saysOneOf } from './nameUses.ts';
import { starImportOf } from './starImports.ts';

/** A use, kept after its tree is freed. */
interface PlacedUse extends Pick<NameUse, 'name' | 'role' | 'scope'> {
  owner: LexicalScope | null;
  start: Position;
}

/** Where the renamed one is used or given, and the scope that it belongs to. */
interface Owned {
  scope: LexicalScope;
  owner: LexicalScope;
}

/** A rename, as far as one file sees it. */
interface RenameInFile {
  oldName: string;
  newName: string;
  /** The uses that are to be renamed in the file. */
  uses: readonly FoundUse[];
  /** Whether a star import gives the old name to the file's module. */
  isStarred: boolean;
}

/**
 * Looks for a scope between a use and its owner that binds the new name, for uses of the new name that the renamed one
 * would capture, and for classes in which Python changes the new name.
 *
 * @returns A sentence that says where and why; null when there is nothing.
 */
export function* collisionIn(
  project: ProjectView,
  file: string,
  { oldName, newName, uses: renamed, isStarred }: RenameInFile,
): Steps<string | null> {
  const { names } = project.index;
  const facts = names.factsOf(file);
  if (!facts) return null;
  const words = [newName, oldName];
  const module = moduleScope(facts, ...words);
  const uses: PlacedUse[] = [];
  yield* project.withSegments(file, saysOneOf(...words), (root, text) => {
    // One walk for both names, so that they share their scopes.
    const walk = new NameWalk(text, {
      words: new WordPlaces(text, new Set(words)),
      bindings: 'wanted',
      module,
    });
    walk.statements(values(root));
    for (const use of walk.uses) {
      const { name, role, scope, node } = use;
      uses.push({ name, role, scope, owner: ownerOf(use), start: rangeOf(node).start });
    }
  });
  const places = new Set(renamed.map(({ range: { start } }) => placeKey(start)));
  const news = uses.filter(({ name }) => name === newName);
  const olds = uses.filter(({ name, start }) => name === oldName && places.has(placeKey(start)));
  const mangled = isPrivate(newName) && olds.find(({ scope }) => scopesAround(scope).some(isClass));
  if (mangled)
    return `Python changes "${newName}" to another name inside a class, as in ${file}:${mangled.start.line + 1}.`;
  const found: Owned[] = olds
    .filter(({ role }) => !/^(?:attribute|imported-as|mutated)$/.test(role))
    // What the file does not bind comes from a star import.
    .map(({ scope, owner }) => ({ scope, owner: owner ?? module }));
  if (isStarred) found.push({ scope: module, owner: module });
  const isModules = found.some(({ owner }) => owner === module);
  const submodule = isModules ? submoduleOf(names, file, newName) : null;
  if (submodule !== null) return `${file} cannot have the name "${newName}": ${submodule} is its submodule.`;
  const place =
    hiding(found, news) ??
    captured(found, news) ??
    (isModules ? starImportOf(names, file, newName)?.start : null);
  if (!place) return null;
  return `"${newName}" already means something else in ${file}:${place.line + 1}, where the renamed one is used.`;
}

/** Whether Python puts the name of the class before it: `__name`, but not `__name__`. */
function isPrivate(name: string): boolean {
  return name.startsWith('__') && !name.endsWith('__');
}

function isClass({ kind }: LexicalScope): boolean {
  return kind === 'class';
}

/** The module of a name inside a package, whose import gives the package an attribute of that name. */
function submoduleOf({ modules }: NameResolver, file: string, name: string): string | null {
  if (!file.endsWith('/__init__.py')) return null;
  const stem = modules.child(file.slice(0, -'/__init__.py'.length), name);
  return stem && (modules.fileOf(stem) ?? stem);
}

/** A binding of the new name that an old use would find first. */
function hiding(olds: readonly Owned[], news: readonly PlacedUse[]): Position | null {
  const binders = new Map<LexicalScope, Position>();
  for (const { role, scope, owner, start } of news) {
    if (!/^(?:bound|parameter|defined|imported|handler|deleted)$/.test(role)) continue;
    // `:=` in a comprehension binds outside of it.
    const binder = owner ?? scope;
    if (!binders.has(binder)) binders.set(binder, start);
  }
  for (const { scope, owner } of olds) {
    for (const around of scopesAround(scope)) {
      const place = around === scope || around.kind !== 'class' ? binders.get(around) : undefined;
      if (place) return place;
      if (around === owner) break;
    }
  }
  return null;
}

/** A use of the new name for something in an outer scope, such as a builtin, that would find the renamed one. */
function captured(olds: readonly Owned[], news: readonly PlacedUse[]): Position | null {
  const owners = new Set(olds.map(({ owner }) => owner));
  for (const { role, scope, owner, start } of news) {
    if (role !== 'read') continue;
    for (const around of scopesAround(scope)) {
      if (around === owner) break;
      if ((around === scope || around.kind !== 'class') && owners.has(around)) return start;
    }
  }
  return null;
}
