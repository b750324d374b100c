/** A value in a class body → the enum member that it becomes, if the class is an enum. */
import type { Binding, Definition } from '../binder/FileFacts.ts';
import { type Constant, DYNAMIC } from './Constant.ts';
import type { Entity, NameResolver } from './NameResolver.ts';

/** The type of the members in addition to the enum; `text` if `str()` of a member is its value. */
type Mixin = 'none' | 'int' | 'str' | 'text' | 'unknown';

const ENUMERATIONS: Readonly<Record<string, Mixin>> = {
  'enum.Enum': 'none',
  'enum.Flag': 'none',
  'enum.IntEnum': 'int',
  'enum.IntFlag': 'int',
  'enum.StrEnum': 'text',
};
/** Names in a class body through which members may get other values than the written ones. */
const CHANGES_VALUES =
  /^(?:__new__|__init__|__init_subclass__|__get\w*__|_generate_next_value_|_ignore_|value|name)$/;
/** The longest chain of enums that derive from each other. */
const MAX_CHAIN = 10;

/** The value itself if its class is not an enum; dynamic if the enum may change its values. */
export function enumMember(
  names: NameResolver,
  { file, scope, expression }: Extract<Entity, { kind: 'value' }>,
  value: Constant,
): Constant {
  const { definitions, scopes } = names.factsOf(file)!;
  if (scopes[scope]?.kind !== 'class') return value;
  const owner = definitions.find(({ kind, body }) => kind === 'class' && body === scope)!;
  const mixin = mixinOf(names, file, owner);
  if (mixin === null) return value;
  const members = Object.entries(scopes[scope].bindings);
  const at = members.findIndex(([, [bound]]) => bound?.kind === 'value' && bound.expression === expression);
  if (at === -1 || value.of || !fits(mixin, value)) return DYNAMIC;
  const isDistinct = members.slice(0, at).every(([, bound]) => isOtherLiteral(bound, value));
  const of = { name: isDistinct ? members[at]![0] : null, value, isText: mixin === 'text' };
  return mixin === 'none' ? { ...DYNAMIC, of } : { ...value, of };
}

/** Null for a class that is not an enum. */
function mixinOf(names: NameResolver, file: string, owner: Definition, depth = 0): Mixin | null {
  const mixins = new Set<Mixin>();
  let isEnumeration = false;
  for (const { path } of depth > MAX_CHAIN ? [] : owner.bases) {
    const [entity, other] = names.resolve(file, owner.scope, path);
    const inherited = other ? null : enumerationOf(names, entity, depth);
    isEnumeration ||= inherited !== null;
    const isBuiltin = !entity && (path[0] === 'str' || path[0] === 'int');
    mixins.add(inherited ?? (isBuiltin ? (path[0] as Mixin) : 'unknown'));
  }
  if (!isEnumeration) return null;
  const body = names.factsOf(file)!.scopes[owner.body]!;
  const changes =
    Object.keys(body.bindings).some((name) => CHANGES_VALUES.test(name)) ||
    owner.decorators.some(({ path }) => path?.at(-1) !== 'unique');
  mixins.delete('none');
  const [mixin = 'none'] = mixins;
  return changes || mixins.size > 1 ? 'unknown' : mixin;
}

function enumerationOf(names: NameResolver, entity: Entity | undefined, depth: number): Mixin | null {
  if (entity?.kind === 'definition') return mixinOf(names, entity.file, entity.definition, depth + 1);
  if (entity?.kind !== 'external') return null;
  const known = ENUMERATIONS[entity.path.join('.')];
  // Other packages have enums too, each with its own rules.
  return known ?? (/(?:Enum|Flag|Choices)$/.test(entity.path.at(-1)!) ? 'unknown' : null);
}

function fits(mixin: Mixin, { type }: Constant): boolean {
  if (mixin === 'int') return type === 'integer';
  return mixin === 'none' || (mixin !== 'unknown' && type === 'string');
}

/** Members with equal values are the same member, which has the name of the first one. */
function isOtherLiteral([bound]: readonly Binding[], value: Constant): boolean {
  if (bound?.kind !== 'value') return true;
  const { expression } = bound;
  if (expression.kind === 'string') return value.type !== 'string' || value.value !== expression.value;
  return expression.kind === 'number' && 'value' in value && Number(value.value) !== expression.value;
}
