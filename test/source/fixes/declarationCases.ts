/** Cases whose project is one declaration: a decorator's arguments, the keys of a table, or routes of an instance. */
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import type { FixCase } from './checkFix.ts';

export const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup';

/** One decorator before and after. */
export function call(
  code: DiagnosticCode,
  shows: string,
  title: string,
  [before, after]: readonly [string, string],
  more: Pick<FixCase, 'changes' | 'with' | 'preferred'> = {},
): FixCase {
  const file = (text: string) => ({ 'a.py': `${SDK}\n# ünïcode 🎉\n@Endpoint(${text})\ndef a(): ...\n` });
  return { shows, code, title, before: file(before), after: file(after), ...more };
}

/** The keys of one table before and after. */
export function table(
  code: DiagnosticCode,
  shows: string,
  title: string,
  [before, after]: readonly [string, string],
  more: Pick<FixCase, 'changes' | 'with' | 'preferred'> = {},
): FixCase {
  const file = (text: string) => ({
    'pyproject.toml': `[project]\nname = "p"\n\n[[tool.toolkit.endpoints]]\n${text}`,
  });
  return { shows, code, title, before: file(before), after: file(after), ...more };
}

export const HEAD = 'from toolkit_sdk import Endpoint\napi = Endpoint(name="api")\n';

/** The text below an instance `api`, before and after. */
export function route(
  code: DiagnosticCode,
  shows: string,
  title: string,
  [before, after]: readonly [string, string],
  more: Pick<FixCase, 'changes' | 'with'> = { changes: ['path', 'routes', 'dynamic', 'parameters'] },
): FixCase {
  return { shows, code, title, before: { 'a.py': HEAD + before }, after: { 'a.py': HEAD + after }, ...more };
}
