/** A third-party package imported at the top of a file that declares endpoints. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Declaration } from '../index/Declaration.ts';
import { requirementsOf } from './requirementsOf.ts';
import { finding, type Rule } from './rule.ts';
import { runsAtImport } from './runsAtImport.ts';
import { thirdPartyModules } from './thirdParty.ts';

export const topLevelImport: Rule = (index, { withheld, dependencies }) => {
  const declaring = new Map<string, Set<Declaration>>();
  const add = (file: string, declaration: Declaration) =>
    declaring.set(file, (declaring.get(file) ?? new Set()).add(declaration));
  for (const declaration of index.declarations) {
    add(declaration.file, declaration);
    for (const { file } of [...declaration.served, ...declaration.routes]) add(file, declaration);
  }
  return index.files.flatMap((facts) => {
    const own = [...(declaring.get(facts.file) ?? [])];
    if (own.length === 0) return [];
    const isProvided = (module: string) =>
      own.every((declaration) => {
        const requirements = requirementsOf(index, declaration, dependencies);
        return requirements === null || dependencies.provides(requirements, module);
      });
    return (
      facts.imports
        // Imports that may fail, that no worker runs or that only type checkers see are fine.
        .filter(({ guard, scope }) => guard === null && runsAtImport(facts, scope))
        .flatMap((item): Diagnostic[] => {
          const modules = thirdPartyModules(item, facts, { modules: index.names.modules, withheld });
          const name = item.target.module.split('.', 1)[0]!;
          const lacking = modules.find(({ module }) => !isProvided(module));
          const also = lacking
            ? `, and add "${dependencies.distributionOf(lacking.module)}" to their dependencies`
            : '';
          if (modules.length === 0) return [];
          return [
            finding('top-level-import', {
              file: facts.file,
              range: item.range,
              message: `${name} is imported at the top of a file that declares endpoints, so every importer of this file needs it.`,
              fix: `Move the import of ${name} into the functions that use it${also}.`,
            }),
          ];
        })
    );
  });
};
