/** runtime/contract/limits.ts → docs/limits.md: each limit with its value and the comment above it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as limits from '../../runtime/contract/limits.ts';

const GROUP = /\/\*\* (.+) \*\/\nexport const (\w+) = \{\n([^]*?)\n\} as const;/g;
const ENTRY = /^ {2}\/\*\*\s([^]*?)\s\*\/\n {2}(\w+): (.+),$/gm;

const INTRODUCTION = `# Limits

All limits, defaults, timeouts and intervals of the toolkit, with their names in \`runtime/contract/limits.ts\`. MB are 10⁶ bytes.
`;

export function limitsPage(root: string): string {
  const source = readFileSync(path.join(root, 'runtime/contract/limits.ts'), 'utf8');
  const groups = [...source.matchAll(GROUP)].map(([, title = '', name = '', body = '']) => {
    const values = Object.entries((limits as Record<string, object>)[name]!);
    const entries = [...body.matchAll(ENTRY)];
    if (entries.length !== values.length) throw new Error(`Each limit in ${name} needs a comment.`);
    const rows = entries.map(([, doc = '', key = '', written = ''], at) => {
      const value = shown(key, values[at]![1] as number | string, written);
      return `| \`${key}\` | ${value} | ${doc.replaceAll(/\s*\n?\s*\* /g, ' ').trim()} |`;
    });
    return `\n## ${title.replace(/\.$/, '')}\n\n| Name | Value | |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return INTRODUCTION + groups.join('');
}

/** @param written The expression of the value, whose names tell its unit. */
function shown(key: string, value: number | string, written: string): string {
  if (typeof value === 'string') return `\`${value}\``;
  if (/\bMB\b/.test(written)) return `${(value / 1_000_000).toLocaleString('en')} MB`;
  if (/\b(?:SECOND|MINUTE)\b/.test(written)) return time(value / 1_000);
  if (key.endsWith('Seconds')) return time(value);
  return key.endsWith('Port') ? String(value) : value.toLocaleString('en');
}

function time(seconds: number): string {
  const units: [name: string, seconds: number][] = [
    ['days', 86_400],
    ['hours', 3_600],
    ['min', 60],
  ];
  const [unit, length] = units.find(([, length]) => seconds > length && (seconds * 10) % length === 0) ?? [
    's',
    1,
  ];
  return `${seconds / length} ${unit}`;
}
