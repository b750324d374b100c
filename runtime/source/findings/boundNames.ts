/** An import statement → the names that it binds in its scope. */
import type { Range } from '../../contract/diagnostic.ts';
import type { FileFacts, Import } from '../binder/FileFacts.ts';

export interface BoundName {
  local: string;
  range: Range;
}

/** Each with where the statement says it; none of a star import. */
export function boundNames(
  { scopes }: FileFacts,
  { target, names, scope, range, nameRanges }: Import,
): BoundName[] {
  const bound = Object.entries(scopes[scope]!.bindings).flatMap(([local, bindings]) =>
    bindings.map((binding) => ({ local, binding })),
  );
  if (names === null) {
    const first = target.module.split('.', 1)[0]!;
    const all = bound.flatMap(({ local, binding }) =>
      binding.kind === 'module' ? [{ local, module: binding.target.module }] : [],
    );
    // `import a.b as c` binds the module itself, `import a.b` the package around it.
    const found =
      all.find(({ module }) => module === target.module) ??
      all.find(({ local, module }) => local === first && module === first);
    return found ? [{ local: found.local, range }] : [];
  }
  return names.flatMap((name, at): BoundName[] => {
    const found = bound.find(
      ({ binding }) =>
        binding.kind === 'member' &&
        binding.name === name &&
        binding.target.folder === target.folder &&
        binding.target.module === target.module,
    );
    return found ? [{ local: found.local, range: nameRanges[at] ?? range }] : [];
  });
}
