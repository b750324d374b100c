import type { Definition, FileFacts, Import } from '../binder/FileFacts.ts';
import { WordPlaces } from '../binder/WordPlaces.ts';
import { moveImport, moveImports } from '../fixes/move-import.ts';
import type { Finding } from './Finding.ts';
import { ImportedPackages, UNKNOWN } from './ImportedPackages.ts';
import { neededImports, runsAtImport } from './neededImports.ts';

/**
 * A package is imported at the top of a file that declares endpoints. The file is also imported where the
 * package is not installed: by other endpoints, and by scripts that call its functions. Imports under
 * `if TYPE_CHECKING:`, the standard library and `toolkit_sdk` are fine.
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
 * Fixed:
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
          message: `${name} is ${UNKNOWN}. It is imported at the top of a file that declares endpoints, so every import of this file would fail without it.`,
          fix: `Correct the module's name, or move the import into the functions that use it and add its package to their dependencies.`,
        };
        continue;
      }
      yield {
        file,
        range: item.range,
        message: `${name} is imported at the top of a file that declares endpoints, so everything that imports this file needs it.`,
        fix: adviceFor(name, distribution ?? null, { item, facts, served }),
      };
    }
  },
  fixes: [moveImport],
  fixTogether: moveImports,
};

interface Imported {
  item: Import;
  facts: FileFacts;
  /** Definitions whose bodies workers run. */
  served: ReadonlySet<Definition>;
}

/**
 * What to do with an import. If the file needs it while it is loaded, moving only the import is not enough.
 *
 * @param lacking - The distribution to declare; null if there is none.
 */
function adviceFor(name: string, lacking: string | null, { item, facts, served }: Imported): string {
  const also = lacking === null ? '' : `, and add "${lacking}" to their dependencies`;
  const needed = item.locals.filter((local) => facts.loads.includes(local));
  if (needed.length === 0) return `Move the import of ${name} into the functions that use it${also}.`;
  const user = userOf(needed, facts, served);
  const owner = [...served].find((one) => isInHeader(one, user === undefined ? needed : [...needed, user]));
  if (owner) {
    const keep = `Keep this import, because the declaration of ${owner.name} needs it when the file is loaded.`;
    return lacking === null
      ? `${keep} Silence this warning with # toolkit: ignore[top-level-import].`
      : `${keep} Add "${lacking}" to the dependencies of every endpoint in this file, and silence this warning with # toolkit: ignore[top-level-import].`;
  }
  return user === undefined
    ? `Move the import of ${name}, and the code that needs it when the file is loaded, into the functions that use it${also}.`
    : `Move ${user} into a separate module, because it needs ${name} when the file is loaded. Import that module inside the functions that use it${also}.`;
}

/**
 * The first class, function or variable of the module that needs one of the names to be defined; functions
 * and classes that an endpoint serves are left out.
 */
function userOf(
  names: readonly string[],
  { definitions, leads, scopes }: FileFacts,
  served: ReadonlySet<Definition>,
): string | undefined {
  const definition = definitions.find(
    (one) =>
      !served.has(one) &&
      runsAtImport({ scopes }, one.scope) &&
      [...one.bases, ...one.decorators].some(({ path }) => path && names.includes(path[0]!)),
  );
  const made = leads.given.find(
    ({ name, from }) => names.includes(from) && Object.hasOwn(scopes[0]!.bindings, name),
  );
  return definition?.name ?? made?.name;
}

/** Whether decorators, bases, annotations or defaults of a definition contain one of the names. */
function isInHeader({ decorators, bases, parameters }: Definition, names: readonly string[]): boolean {
  if ([...decorators, ...bases].some(({ path }) => path && names.includes(path[0]!))) return true;
  const texts = parameters.flatMap(({ annotation, default: value }) => [annotation ?? '', value ?? '']);
  const words = new Set(names);
  return texts.some((text) => !new WordPlaces(text, words).isEmpty);
}
