/** The modules that an endpoint's functions import in their bodies and that only a dependency can provide. */
import { SDK_MODULE } from '../../runtime/contract/names.ts';
import type { Definition, FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import { isStandardLibrary } from '../../runtime/source/binder/standardLibrary.ts';
import { isInBody } from '../../runtime/source/declarations/servedBodies.ts';
import type { ArgumentPlace } from './callArguments.ts';
import { declarationsOf } from './declared.ts';
import type { PythonContext } from './feature.ts';

/** Each imported module once. A decorator's function is the one below it; an instance's functions are its routes'. */
export function bodyModules(
  { project, document }: PythonContext,
  { line, decorated }: ArgumentPlace,
): string[] {
  const { index } = project;
  const modules = new Set<string>();
  const add = (facts: FileFacts, definition: Definition) => {
    for (const { target, scope, guard } of facts.imports) {
      if (guard !== null || target.folder !== null || !isInBody(definition, facts, scope)) continue;
      const first = target.module.split('.', 1)[0]!;
      if (first === SDK_MODULE || isStandardLibrary(first)) continue;
      if (index.names.modules.resolve({ folder: null, module: first }, facts.file) === null)
        modules.add(target.module);
    }
  };
  const below = document.facts.definitions.find((one) => one.name === decorated && one.line > line + 1);
  if (below) add(document.facts, below);
  for (const declaration of declarationsOf(index, document.file)) {
    if (declaration.call.range.start.line !== line) continue;
    for (const { file, definition } of [...declaration.served, ...declaration.routes]) {
      const facts = index.names.factsOf(file);
      if (facts) add(facts, definition);
    }
  }
  return [...modules];
}
