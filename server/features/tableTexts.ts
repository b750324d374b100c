/** The keys of pyproject.toml's tables, for completion. */
import { GPU_GROUPS } from '../../runtime/contract/hardware.ts';
import { DEFAULTS, PROJECT_LIMITS } from '../../runtime/contract/limits.ts';
import type { TableKey } from '../../runtime/source/declarations/Declaration.ts';
import { KEYWORD_TEXTS, type KeywordText } from './keywords.ts';

/** The keys of `[tool.toolkit]`. */
export const TOOLKIT_KEYS: Record<string, { documentation: string; value: string }> = {
  app: { documentation: "The app's name, instead of the project's.", value: '"$1"' },
  python: { documentation: 'Python minor version that workers use.', value: '"${1:3.11}"' },
  quota: {
    documentation: `The account's quota of workers. Default: ${PROJECT_LIMITS.workersQuota}.`,
    value: `\${1:${PROJECT_LIMITS.workersQuota}}`,
  },
};

/** Keys that only tables have, and values that differ between TOML and Python. */
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
    documentation:
      'A queue-based worker implements the worker protocol. A load-balanced worker listens on `PORT`.',
    value: '"${1|queue,load-balanced|}"',
  },
  gpu: {
    ...KEYWORD_TEXTS.gpu,
    type: 'name of a GPU group or type',
    documentation: KEYWORD_TEXTS.gpu.documentation.replace('GpuGroup.', ''),
    value: `"\${1|${Object.keys(GPU_GROUPS).join(',')}|}"`,
  },
  workers: {
    ...KEYWORD_TEXTS.workers,
    type: 'list of two integers',
    default: `[${DEFAULTS.workersMin}, ${DEFAULTS.workersMax}]`,
    value: '[${1:0}, ${2:3}]',
  },
  env: {
    ...KEYWORD_TEXTS.env,
    type: 'table of strings',
    documentation: 'Environment variables of the workers.',
    value: '{ ${1:NAME} = "$2" }',
  },
};

/** Describes a key of an endpoint; `value` is a snippet. */
export function tableKeyText(key: TableKey): KeywordText {
  return TABLE_TEXTS[key] ?? KEYWORD_TEXTS[key as keyof typeof KEYWORD_TEXTS];
}
