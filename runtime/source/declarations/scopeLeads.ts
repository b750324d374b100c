/**
 * What of a file may lead to an endpoint: names that stand for something of toolkit_sdk or of the project's modules,
 * and what is made from them. Most names of a file lead nowhere, and need not be followed. Scopes that an edit has
 * not touched are the same objects, so they are looked through once.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import type { Call } from '../binder/Expression.ts';
import type { FileFacts, ImportTarget, Scope } from '../binder/FileFacts.ts';
import { type Reach, reachOf } from '../binder/reach.ts';
import type { ModuleTable } from './ModuleTable.ts';

/** A call that is the whole value of an assignment. */
export interface AssignedCall extends Reach {
  name: string;
  scope: number;
  call: Call;
}

/** What a scope binds, as far as it can be followed. */
interface Leads {
  calls: readonly Omit<AssignedCall, 'scope'>[];
  imports: readonly { name: string; target: ImportTarget }[];
  /** Names that are what another one is, or what calling it gives. */
  values: readonly { name: string; from: string }[];
}

/** What of a file may lead to an endpoint. */
interface FileLeads {
  /** Names that may be followed; null where a star import may bind any. */
  names: ReadonlySet<string> | null;
  assigned: readonly AssignedCall[];
  /** Those of them that call such a name. */
  calls: readonly AssignedCall[];
  /** Those of them that call a function that is called `partial`. */
  partials: readonly AssignedCall[];
}

const NONE: Leads = { calls: [], imports: [], values: [] };
const ofScope = new WeakMap<Scope, Leads>();
const ofFile = new WeakMap<FileFacts, { modules: ModuleTable; leads: FileLeads }>();

/** What of a file may lead to an endpoint, looked for once. */
export function leadsOfFile(facts: FileFacts, modules: ModuleTable): FileLeads {
  const known = ofFile.get(facts);
  if (known?.modules === modules) return known.leads;
  const leads = findLeads(facts, modules);
  ofFile.set(facts, { modules, leads });
  return leads;
}

/** Whether a dotted name that begins so may be followed to an endpoint, or to the class. */
export function mayLead(facts: FileFacts, name: string, modules: ModuleTable): boolean {
  return leadsOfFile(facts, modules).names?.has(name) ?? true;
}

function findLeads(facts: FileFacts, modules: ModuleTable): FileLeads {
  const each = facts.scopes.map(leadsOf);
  const names = facts.scopes.some(({ stars }) => stars.length > 0)
    ? null
    : leadingNames(facts, each, modules);
  const assigned = each.flatMap(({ calls }, scope) => calls.map((one) => ({ ...one, scope })));
  return {
    names,
    assigned,
    calls: assigned.filter(({ call }) => names?.has(call.callee[0]!) ?? true),
    partials: assigned.filter(({ call }) => call.callee.at(-1) === 'partial'),
  };
}

function leadingNames(facts: FileFacts, leads: readonly Leads[], modules: ModuleTable): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { imports } of leads) {
    for (const { name, target } of imports) {
      const isSdk = target.folder === null && target.module.split('.', 1)[0] === SDK_MODULE;
      if (isSdk || modules.resolve(target, facts.file) !== null) names.add(name);
    }
  }
  const classes = facts.definitions.filter(({ kind }) => kind === 'class');
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { values } of leads) for (const { name, from } of values) if (names.has(from)) names.add(name);
    // Classes have members.
    for (const { name, body } of classes) {
      const members = Object.keys(facts.scopes[body]!.bindings);
      if (members.some((member) => names.has(member))) names.add(name);
    }
  }
  return names;
}

function leadsOf(scope: Scope): Leads {
  if (isEmpty(scope.bindings)) return NONE;
  const known = ofScope.get(scope);
  if (known) return known;
  const calls: Omit<AssignedCall, 'scope'>[] = [];
  const imports: { name: string; target: ImportTarget }[] = [];
  const values: { name: string; from: string }[] = [];
  for (const name of Object.keys(scope.bindings)) {
    for (const binding of scope.bindings[name]!) {
      if (binding.kind === 'module' || binding.kind === 'member')
        imports.push({ name, target: binding.target });
      if (binding.kind !== 'value') continue;
      const { expression } = binding;
      if (expression.kind === 'reference') values.push({ name, from: expression.path[0]! });
      if (expression.kind !== 'call') continue;
      values.push({ name, from: expression.call.callee[0]! });
      calls.push({ name, call: expression.call, ...reachOf(binding) });
    }
  }
  const leads = { calls, imports, values };
  ofScope.set(scope, leads);
  return leads;
}

/** Most functions of a large file bind nothing that counts. */
function isEmpty(bindings: Scope['bindings']): boolean {
  for (const _name in bindings) return false;
  return true;
}
