/** A package that a body imports, and that nothing brings to the worker: the call would fail there. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { PROJECT_FILES, WORKER_REQUIREMENTS } from '../../contract/names.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import { isInBody, type ServedBody } from '../declarations/servedBodies.ts';
import { declaredBy, requirementsOf } from '../environment/requirementsOf.ts';
import { finding, type Rule } from './Finding.ts';
import { PeerFunctions } from './peerFunctions.ts';
import { thirdPartyModules, UNKNOWN } from './thirdParty.ts';

export const undeclaredDependency: Rule = (index, { dependencies, withheld }) => {
  let peers: PeerFunctions | null = null;
  const told = new Map<Declaration, readonly string[] | null>();
  const given = (declaration: Declaration) => {
    const known = told.get(declaration);
    const found = known === undefined ? requirementsOf(index, declaration, dependencies) : known;
    told.set(declaration, found);
    return found;
  };
  const { facts } = index;
  if (!facts) return [];
  return index.bodies.flatMap((body) => {
    // An import that may fail, or that no worker runs, needs no package.
    const needed = facts.imports.filter(
      ({ guard, scope }) => guard === null && isInBody(body.definition, facts, scope),
    );
    const modules = needed.flatMap((item) =>
      thirdPartyModules(item, facts, { modules: index.names.modules, withheld }),
    );
    if (modules.length === 0) return [];
    const worker = callsPeer(facts, body) ? WORKER_REQUIREMENTS.peerCalls : [];
    return modules.flatMap(({ module, range }): Diagnostic[] => {
      const lacking = body.declarations.find((declaration) => {
        const requirements = given(declaration);
        return requirements !== null && !dependencies.provides([...requirements, ...worker], module);
      });
      if (!lacking) return [];
      const name = effectiveName(lacking);
      const short = dependencies.shortNameOf(module);
      const distribution = dependencies.distributionOf(module, () =>
        declaredBy(index.allBodies().flatMap((one) => one.declarations)),
      );
      const otherwise = unless(dependencies.untold([...given(lacking)!, ...worker]));
      if (distribution === null) {
        return [
          finding('undeclared-dependency', {
            file: body.file,
            range,
            message: `${short} is ${UNKNOWN}, so a worker could not import it${otherwise}.`,
            fix: "Correct the module's name, or add the package that provides it to dependencies.",
          }),
        ];
      }
      const unread = dependencies.unreadPlaceOf(distribution);
      const also = unread ? `, or to ${PROJECT_FILES.requirements}: a build does not read ${unread}` : '';
      return [
        finding('undeclared-dependency', {
          file: body.file,
          range,
          message: `${short} is provided by neither ${name === null ? 'the dependencies of this endpoint' : `the dependencies of "${name}"`} nor ${PROJECT_FILES.requirements}, ${PROJECT_FILES.pyproject} or the base image, so a worker could not import it${otherwise}.`,
          fix: `Add "${distribution}" to dependencies${also}.`,
        }),
      ];
    });
  });

  function callsPeer(facts: FileFacts, { definition }: ServedBody): boolean {
    const known = (peers ??= new PeerFunctions(index));
    return facts.imports.some(
      (item) => isInBody(definition, facts, item.scope) && known.areImportedBy(item, facts.file),
    );
  }
};

/** It is not known what some packages require. */
function unless(untold: readonly string[]): string {
  if (untold.length === 0) return '';
  return `, unless ${untold.length === 1 ? untold[0] : 'one of the other packages'} installs it`;
}
