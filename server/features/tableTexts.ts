/** The keys of pyproject.toml's tables as completion describes them. */
import { GPU_GROUPS } from '../../runtime/contract/hardware.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import type { TableKey } from '../../runtime/source/declarations/Declaration.ts';
import { KEYWORD_TEXTS, type KeywordText } from './keywords.ts';

/** The keys of `[tool.toolkit]`. */
export const TOOLKIT_KEYS: Record<string, { documentation: string; value: string }> = {
  app: { documentation: "The app's name, in place of the project's.", value: '"$1"' },
  python: { documentation: 'Minor version of Python that workers run.', value: '"${1:3.11}"' },
  quota: { documentation: "The account's quota of workers, 30 when not given.", value: '${1:30}' },
};

/** Keys that only tables have, and values that TOML writes otherwise than Python. */
const TABLE_TEXTS: Partial<Record<TableKey, KeywordText>> = {
  command: {
    type: 'list of strings',
    default: 'None',
    documentation: "Program and arguments that start the endpoint's worker from the artifact's root.",
    value: '["$1"]',
  },
  kind: {
    type: '"queue" or "load-balanced"',
    default: 'None',
    documentation: 'A queue-based worker speaks the worker protocol, a load-balanced one listens on `PORT`.',
    value: '"${1|queue,load-balanced|}"',
  },
  gpu: {
    type: 'name of a GPU group or type',
    default: 'None',
    documentation: 'Group or model of GPU; `ANY` when neither gpu nor cpu is given.',
    value: `"\${1|${Object.keys(GPU_GROUPS).join(',')}|}"`,
  },
  workers: {
    type: 'list of two integers',
    default: `[${DEFAULTS.workersMin}, ${DEFAULTS.workersMax}]`,
    documentation: KEYWORD_TEXTS.workers.documentation,
    value: '[${1:0}, ${2:3}]',
  },
  env: {
    type: 'table of strings',
    default: 'None',
    documentation: 'Environment variables of the workers.',
    value: '{ ${1:NAME} = "$2" }',
  },
};

/** What a key of an endpoint is; `value` is a snippet. */
export function tableKeyText(key: TableKey): KeywordText {
  const own = TABLE_TEXTS[key];
  if (own) return own;
  return KEYWORD_TEXTS[key as keyof typeof KEYWORD_TEXTS];
}
