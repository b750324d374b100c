/** One argument of a declaration → its hover text. */
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';
import { isInBaseImage } from '../../runtime/contract/names.ts';
import {
  type Declaration,
  type GivenArgument,
  KEYWORDS,
  TABLE_KEYS,
  type TableKey,
} from '../../runtime/source/declarations/Declaration.ts';
import { requirementName } from '../../runtime/source/environment/distributionName.ts';
import { includes } from '../../runtime/source/syntax/range.ts';
import { valueText } from './endpointText.ts';
import type { DocumentContext } from './feature.ts';
import { KEYWORD_TEXTS } from './keywords.ts';
import { code, escaped } from './markup.ts';
import { tableKeyText } from './tableTexts.ts';

/** Describes an argument, or one item of its list; null for an unknown keyword. */
export function argumentText(
  context: DocumentContext,
  declaration: Declaration,
  { keyword, expression }: GivenArgument,
  position: Position,
  range: Range,
): { text: string; range: Range } | null {
  const isTable = declaration.form === 'table';
  const keys: readonly TableKey[] = isTable ? TABLE_KEYS : KEYWORDS;
  const known = keys.find((one) => one === keyword);
  if (!known) return null;
  if (known === 'dependencies' && expression.kind === 'sequence') {
    const item = expression.items.find((one) => includes(one.range, position));
    if (item?.kind === 'string') return { text: requirementText(context, item.value), range: item.range };
  }
  const value = valueText(context, declaration, known);
  const { documentation, default: preset } = isTable
    ? tableKeyText(known)
    : KEYWORD_TEXTS[known as keyof typeof KEYWORD_TEXTS];
  const note = preset === 'None' ? '' : ` Default: ${code(preset)}.`;
  return { text: `**${known}**${value === '' ? '' : ` · ${value}`}\n\n${documentation}${note}`, range };
}

/** Describes a dependency: its installed version, and whether it is bundled into the artifact. */
function requirementText({ project }: DocumentContext, requirement: string): string {
  const name = requirementName(requirement);
  if (name === null) return `${code(requirement)} is not a valid requirement.`;
  const installed = project.dependencies.environment.distribution(name);
  const version = installed?.version ? ` · ${installed.version} installed here` : '';
  const note = isInBaseImage(name)
    ? 'The base image provides it, so it is left out of the artifact.'
    : 'Installed at build time and bundled into the artifact.';
  return [
    `**${code(name)}**${version}`,
    ...(installed?.summary ? [escaped(installed.summary)] : []),
    note,
  ].join('\n\n');
}
