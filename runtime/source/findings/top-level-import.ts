import type { Definition, FileFacts, Import } from '../binder/FileFacts.ts';
import { moveImport, moveImports } from '../fixes/move-import.ts';
import type { Finding } from './Finding.ts';
import { ImportedPackages, UNKNOWN } from './ImportedPackages.ts';
import { neededImports, runsAtImport } from './neededImports.ts';

/**
 * A package is imported at the top of a file that declares endpoints. The file is also read where the package is not
 * installed: by other endpoints and by scripts that call it. Imports under `if TYPE_CHECKING:`, the standard library
 * and `toolkit_sdk` are fine.
 *
 * ```python
 * import cv2
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(dependencies=["opencv-python"])
 * def resize(image: str):
 *     """Resize an image."""
 *     return cv2.imread(image)
 * ```
 *
 * Repaired:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(dependencies=["opencv-python"])
 * def resize(image: str):
 *     """Resize an image."""
 *     import cv2
 *     return cv2.imread(image)
 * ```
 */
export const topLevelImport: Finding = {
  code: 'top-level-import',
  severity: 'warning',
  chapter: 'Imports and packages',
  *find(index, context) {
    const { file, facts, declarations } = index;
    if (!facts || declarations.length === 0) return;
    const packages = new ImportedPackages(index, context);
    const served = new Set(index.bodies.map(({ definition }) => definition));
    for (const item of neededImports(facts)) {
      const modules = runsAtImport(facts, item.scope) ? packages.modulesOf(item) : [];
      if (modules.length === 0) continue;
      const name = item.target.module.split('.', 1)[0]!;
      const lacking = modules.find(
        ({ module }) => !declarations.every((one) => packages.provides(one, module)),
      );
      const distribution = lacking && packages.distributionOf(lacking.module);
      if (distribution === null) {
        yield {
          file,
          range: item.range,
          message: `${name} is ${UNKNOWN}, and it is imported at the top of a file that declares endpoints.`,
          fix: `Correct the module's name, or move the import into the functions that use it and add the package that provides it to their dependencies.`,
        };
        continue;
      }
      const user = userOf(item, facts, served);
      const advice = user
        ? `Move ${user.name}, which needs ${name} when the file is loaded, into a module of its own, and import it in the functions that use it`
        : `Move the import of ${name} into the functions that use it`;
      const also = distribution ? `, and add "${distribution}" to their dependencies` : '';
      yield {
        file,
        range: item.range,
        message: `${name} is imported at the top of a file that declares endpoints, so every importer of this file needs it.`,
        fix: `${advice}${also}.`,
      };
    }
  },
  fixes: [moveImport],
  fixTogether: moveImports,
};

/** The first class or function, not an endpoint's own, that needs an imported name as a base or a decorator. */
function userOf(
  { locals }: Import,
  facts: FileFacts,
  served: ReadonlySet<Definition>,
): Definition | undefined {
  return facts.definitions.find(
    (definition) =>
      !served.has(definition) &&
      runsAtImport(facts, definition.scope) &&
      [...definition.bases, ...definition.decorators].some(({ path }) => path && locals.includes(path[0]!)),
  );
}
