import { PROJECT_FILES, WORKER_REQUIREMENTS } from '../../contract/names.ts';
import type { Import } from '../binder/FileFacts.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import { isInBody } from '../declarations/servedBodies.ts';
import { addDependency } from '../fixes/add-dependency.ts';
import type { Finding } from './Finding.ts';
import { ImportedPackages, UNKNOWN } from './ImportedPackages.ts';
import { neededImports } from './neededImports.ts';
import { importsPeers } from './peers.ts';

/**
 * A function imports a package that is not provided by `dependencies`, `requirements.txt`, the
 * `[project] dependencies` of `pyproject.toml` or the base image. A build does not install dependency groups,
 * or your project's own extras unless a requirement names them. A package is suggested only when its name is
 * known: because it is installed, locked, declared elsewhere in the project, or widely used.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def resize(image: str):
 *     """Resize an image."""
 *     import cv2
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
export const undeclaredDependency: Finding = {
  code: 'undeclared-dependency',
  severity: 'warning',
  chapter: 'Imports and packages',
  *find(index, context) {
    const { file, facts, bodies } = index;
    if (!facts || bodies.length === 0) return;
    const { dependencies } = context;
    const packages = new ImportedPackages(index, context);
    const needed = neededImports(facts);
    for (const { definition, declarations } of bodies) {
      const isInside = ({ scope }: Import) => isInBody(definition, facts, scope);
      const modules = needed.filter(isInside).flatMap((item) => packages.modulesOf(item));
      if (modules.length === 0) continue;
      const callsPeer = facts.imports.some((item) => isInside(item) && importsPeers(index, item));
      const worker = callsPeer ? WORKER_REQUIREMENTS.peerCalls : [];
      for (const { module, range } of modules) {
        const lacking = declarations.find((one) => !packages.provides(one, module, worker));
        if (!lacking) continue;
        const short = dependencies.shortNameOf(module);
        const distribution = packages.distributionOf(module);
        const unless = otherwise(dependencies.undescribed([...packages.requirementsOf(lacking)!, ...worker]));
        if (distribution === null) {
          yield {
            file,
            range,
            message: `${short} is ${UNKNOWN}, so a worker could not import it${unless}.`,
            fix: "Correct the module's name, or add its package to dependencies.",
          };
          continue;
        }
        const name = effectiveName(lacking);
        const given = `the dependencies of ${name === null ? 'this endpoint' : `"${name}"`}`;
        const unread = dependencies.unreadPlaceOf(distribution);
        const also = unread ? `, or to ${PROJECT_FILES.requirements}: a build does not read ${unread}` : '';
        yield {
          file,
          range,
          message: `${short} is not provided by ${given}, ${PROJECT_FILES.requirements}, the dependencies in ${PROJECT_FILES.pyproject} or the base image, so a worker could not import it${unless}.`,
          fix: `Add "${distribution}" to dependencies${also}.`,
        };
      }
    }
  },
  fixes: [addDependency],
};

/** Names packages whose own requirements are not known: they may install the missing package. */
function otherwise(undescribed: readonly string[]): string {
  if (undescribed.length === 0) return '';
  return `, unless ${undescribed.length === 1 ? undescribed[0] : 'one of the other packages'} installs it`;
}
