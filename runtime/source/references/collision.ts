/**
 * A rename in one file → the place where the new name already means something else, so that the rename would
 * change what the code does.
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

/** A use of a name that remains valid after its tree is freed. */
interface PlacedUse extends Pick<NameUse, 'name' | 'role' | 'scope'> {
  owner: LexicalScope | null;
  start: Position;
}

/** A scope in which the renamed name is used or imported, and the scope that owns the name. */
interface Owned {
  scope: LexicalScope;
  owner: LexicalScope;
}

/** The part of a rename that concerns one file. */
interface RenameInFile {
  oldName: string;
  newName: string;
  /** The uses in the file that will be renamed. */
  uses: readonly FoundUse[];
  /** Whether a star import binds the old name in the file's module. */
  isStarred: boolean;
}

/**
 * Looks for scopes between a use and its owner that bind the new name, for uses of the new name that would
 * refer to the renamed object, and for classes in which Python mangles the new name.
 *
 * @returns A sentence that says where and why; null when there is no collision.
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
    return `Inside a class, Python replaces "${newName}" with a mangled name, as in ${file}:${mangled.start.line + 1}.`;
  const found: Owned[] = olds
    .filter(({ role }) => !/^(?:attribute|imported-as|mutated)$/.test(role))
    // A name that the file does not bind comes from a star import.
    .map(({ scope, owner }) => ({ scope, owner: owner ?? module }));
  if (isStarred) found.push({ scope: module, owner: module });
  const isModules = found.some(({ owner }) => owner === module);
  const submodule = isModules ? submoduleOf(names, file, newName) : null;
  if (submodule !== null)
    return `${file} cannot use the name "${newName}": ${submodule} is a submodule with that name.`;
  const place =
    hiding(found, news) ??
    captured(found, news) ??
    (isModules ? starImportOf(names, file, newName)?.start : null);
  if (!place) return null;
  return `"${newName}" already means something else in ${file}:${place.line + 1}, where the renamed object is used.`;
}

/** Whether Python mangles the name in a class: `__name`, but not `__name__`. */
function isPrivate(name: string): boolean {
  return name.startsWith('__') && !name.endsWith('__');
}

function isClass({ kind }: LexicalScope): boolean {
  return kind === 'class';
}

/**
 * The submodule of a package with the given name. Importing it sets an attribute of that name on the package.
 */
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
    // `:=` in a comprehension binds outside it.
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

/**
 * A use of the new name that refers to an outer scope, for example to a builtin, and would refer to the
 * renamed object instead.
 */
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
