/**
 * One file's facts → the calls that its module makes whenever it is imported, and what each callee may refer
 * to.
 */
import type { Range } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import type { EndpointNames } from './EndpointNames.ts';
import { functionAround } from './functionAround.ts';
import type { Entity } from './NameResolver.ts';
import { leadsOfFile } from './scopeLeads.ts';

/** A decorator in the module, or a call whose value is assigned to a name of the module. */
export interface ModuleCall {
  /** The name that gets the value; for a decorator, the name of the definition. */
  name: string;
  /** `called decorator`: a decorator with arguments, whose result is called with the definition. */
  by: 'assignment' | 'decorator' | 'called decorator';
  callee: readonly string[];
  calleeRange: Range;
  range: Range;
  /** What the callee refers to; empty if it cannot lead to an endpoint. */
  entities: readonly Entity[];
}

/** Calls in the module and in its classes. Calls in functions are left out, because they may not run. */
export function moduleCalls(facts: FileFacts, names: EndpointNames): ModuleCall[] {
  const isModules = ({ scope, guard }: Pick<FileFacts['looseCalls'][number], 'scope' | 'guard'>) =>
    isRun(guard) && !functionAround(facts, scope);
  const entitiesOf = (scope: number, path: readonly string[]) =>
    names.mayBeOwn(facts, scope, path) ? names.names.resolve(facts.file, scope, path) : [];
  const decorated = facts.definitions.filter((one) => one.decorators.length > 0 && isModules(one));
  const decorators = decorated.flatMap(({ name, scope, decorators: each }) =>
    each.flatMap(({ path, pathRange, call }): ModuleCall[] => {
      if (!path) return [];
      const by = call ? 'called decorator' : 'decorator';
      const entities = entitiesOf(scope, path);
      return [{ name, by, callee: path, calleeRange: pathRange, range: call?.range ?? pathRange, entities }];
    }),
  );
  const assigned = leadsOfFile(facts, names.names.modules).assigned.filter(isModules);
  const calls = assigned.map(({ name, scope, call: { callee, calleeRange, range } }): ModuleCall => {
    return { name, by: 'assignment', callee, calleeRange, range, entities: entitiesOf(scope, callee) };
  });
  return [...decorators, ...calls];
}
