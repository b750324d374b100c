/** A third-party package imported at the top of a file that declares endpoints. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Definition, FileFacts, Import } from '../binder/FileFacts.ts';
import { declaredBy, requirementsOf } from '../environment/requirementsOf.ts';
import { boundNames } from './boundNames.ts';
import { finding, type Rule } from './Finding.ts';
import { runsAtImport } from './runsAtImport.ts';
import { thirdPartyModules, UNKNOWN } from './thirdParty.ts';

export const topLevelImport: Rule = (index, { withheld, dependencies }) => {
  const { facts, declarations: own } = index;
  if (!facts || own.length === 0) return [];
  const served = new Set(index.bodies.map(({ definition }) => definition));
  const isProvided = (module: string) =>
    own.every((declaration) => {
      const requirements = requirementsOf(index, declaration, dependencies);
      return requirements === null || dependencies.provides(requirements, module);
    });
  // Imports that may fail, that no worker runs or that only type checkers see are fine.
  const atImport = facts.imports.filter(({ guard, scope }) => guard === null && runsAtImport(facts, scope));
  return atImport.flatMap((item): Diagnostic[] => {
    const modules = thirdPartyModules(item, facts, { modules: index.names.modules, withheld });
    if (modules.length === 0) return [];
    const name = item.target.module.split('.', 1)[0]!;
    const lacking = modules.find(({ module }) => !isProvided(module));
    const user = userOf(item, facts, served);
    const advice = user
      ? `Move ${user.name}, which needs ${name} when the file is loaded, into a module of its own, and import it in the functions that use it`
      : `Move the import of ${name} into the functions that use it`;
    const distribution =
      lacking &&
      dependencies.distributionOf(lacking.module, () =>
        declaredBy(index.allBodies().flatMap((one) => one.declarations)),
      );
    if (distribution === null) {
      return [
        finding('top-level-import', {
          file: facts.file,
          range: item.range,
          message: `${name} is ${UNKNOWN}, and it is imported at the top of a file that declares endpoints.`,
          fix: `Correct the module's name, or move the import into the functions that use it and add the package that provides it to their dependencies.`,
        }),
      ];
    }
    const also = distribution ? `, and add "${distribution}" to their dependencies` : '';
    return [
      finding('top-level-import', {
        file: facts.file,
        range: item.range,
        message: `${name} is imported at the top of a file that declares endpoints, so every importer of this file needs it.`,
        fix: `${advice}${also}.`,
      }),
    ];
  });
};

/** The first class or function, no endpoint's own, whose statement needs an imported name as a base or a decorator. */
function userOf(item: Import, facts: FileFacts, served: ReadonlySet<Definition>): Definition | undefined {
  const names = new Set(boundNames(facts, item).map(({ local }) => local));
  return facts.definitions.find(
    (definition) =>
      !served.has(definition) &&
      runsAtImport(facts, definition.scope) &&
      [...definition.bases, ...definition.decorators].some(({ path }) => path && names.has(path[0]!)),
  );
}
