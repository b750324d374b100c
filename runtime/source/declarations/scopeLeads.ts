/**
 * Finds what may lead to an endpoint in a file: names that refer to toolkit_sdk or to the project's modules,
 * and values that are created from them. Most names in a file lead nowhere and do not need to be followed.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { bindingsOf } from '../binder/bindings.ts';
import type { Call } from '../binder/Expression.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { type Reach, reachOf } from '../binder/reach.ts';
import type { ModuleTable } from './ModuleTable.ts';

/** A call that is the entire value of an assignment. */
interface AssignedCall extends Reach {
  name: string;
  scope: number;
  call: Call;
}

/** What may lead to an endpoint in a file. */
interface FileLeads {
  /** Names that may be followed; null if a star import may bind any name. */
  names: ReadonlySet<string> | null;
  assigned: readonly AssignedCall[];
  /** Assigned calls of such names. */
  calls: readonly AssignedCall[];
  /** Assigned calls of functions named `partial`. */
  partials: readonly AssignedCall[];
}

const ofFile = new WeakMap<FileFacts, { modules: ModuleTable; leads: FileLeads }>();

/** What may lead to an endpoint in a file, computed once. */
export function leadsOfFile(facts: FileFacts, modules: ModuleTable): FileLeads {
  const known = ofFile.get(facts);
  if (known?.modules === modules) return known.leads;
  const leads = findLeads(facts, modules);
  ofFile.set(facts, { modules, leads });
  return leads;
}

/** Whether a dotted name that begins with this name may lead to an endpoint or to the class. */
export function mayLead(facts: FileFacts, name: string, modules: ModuleTable): boolean {
  return leadsOfFile(facts, modules).names?.has(name) ?? true;
}

function findLeads(facts: FileFacts, modules: ModuleTable): FileLeads {
  const { scopes, leads } = facts;
  const names = scopes.some(({ stars }) => stars.length > 0) ? null : leadingNames(facts, modules);
  // A name is listed once for each segment that assigns it a call.
  const called = new Map(leads.called.map((one) => [`${one.scope}:${one.name}`, one]));
  const assigned = [...called.values()].flatMap(({ name, scope }) =>
    bindingsOf(scopes[scope]!.bindings, name).flatMap((binding): AssignedCall[] => {
      if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
      return [{ name, scope, call: binding.expression.call, ...reachOf(binding) }];
    }),
  );
  return {
    names,
    assigned,
    calls: assigned.filter(({ call }) => names?.has(call.callee[0]!) ?? true),
    partials: assigned.filter(({ call }) => call.callee.at(-1) === 'partial'),
  };
}

function leadingNames({ file, leads }: FileFacts, modules: ModuleTable): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, target } of leads.imported) {
    const isSdk = target.folder === null && target.module.split('.', 1)[0] === SDK_MODULE;
    if (isSdk || modules.resolve(target, file) !== null) names.add(name);
  }
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { name, from } of leads.given) if (names.has(from)) names.add(name);
  }
  return names;
}
