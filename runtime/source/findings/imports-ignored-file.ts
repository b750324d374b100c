import type { Range } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import type { Finding, FoundText } from './Finding.ts';
import { neededImports, runsAtImport } from './neededImports.ts';

/**
 * A deployed file imports one that is not deployed, because `.gitignore`, `.toolkitignore` or the built-in
 * patterns exclude it, or because it is in a nested project: a folder with its own `pyproject.toml`.
 *
 * ```python
 * # .toolkitignore
 * prices.py
 *
 * # prices.py
 * TAX = 0.2
 *
 * # shop.py
 * from prices import TAX
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def price(net: float):
 *     """Return the price with tax."""
 *     return net * (1 + TAX)
 * ```
 *
 * Fixed:
 *
 * ```python
 * # prices.py
 * TAX = 0.2
 *
 * # shop.py
 * from prices import TAX
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def price(net: float):
 *     """Return the price with tax."""
 *     return net * (1 + TAX)
 * ```
 */
export const importsIgnoredFile: Finding = {
  code: 'imports-ignored-file',
  severity: 'error',
  chapter: 'Imports and packages',
  *find(index, { withheld }) {
    const { file, facts, names, ask } = index;
    if (!ask.mayMiss(file) || !facts) return;
    const foundAt = (range: Range, missed: string): FoundText => {
      const project = withheld.projectOf(missed);
      return {
        file,
        range,
        message: `${file} imports ${missed}, which is not part of the artifact, so a worker would not find it.`,
        fix:
          project === null
            ? `Add the line "!/${missed}" to ${PROJECT_FILES.ignore}, or import it in a try block that catches ImportError.`
            : `Move it out of ${project}, whose ${PROJECT_FILES.pyproject} makes it a separate project.`,
      };
    };
    // Vendored packages import their own tests in functions that are never called.
    const mayRun = ({ scope }: Import): boolean => runsAtImport(facts, scope) || ask.isReached(file);
    for (const item of neededImports(facts)) {
      const missed = withheld.missedBy(names.modules, item.target, file);
      if (missed !== null) {
        if (mayRun(item)) yield foundAt(item.range, missed);
        continue;
      }
      for (const { name, range } of membersOf(names, item, facts)) {
        const member = withheld.missedMember(names.modules, item.target, file, name);
        if (member !== null && mayRun(item)) yield foundAt(range, member);
      }
    }
  },
};

/** Names in `from package import name` that the package's own `__init__.py` does not bind. */
function membersOf({ modules, factsOf }: NameResolver, item: Import, { file }: FileFacts) {
  const stem = modules.resolve(item.target, file);
  const initial = stem === null ? null : modules.fileOf(stem);
  const bound = initial === null ? undefined : factsOf(initial)?.scopes[0]?.bindings;
  return (item.names ?? []).flatMap((name, at) => {
    const isBound = bound !== undefined && Object.hasOwn(bound, name);
    return name === '*' || isBound ? [] : [{ name, range: item.nameRanges[at]! }];
  });
}
