/** A mistake as data: a project, a command, and what must be reported about it. */
import type { DiagnosticCode } from '../../runtime/contract/diagnostic.ts';
import type { ErrorCode } from '../../runtime/contract/errors.ts';

export interface Mistake {
  title: string;
  /** In addition to an empty pyproject.toml. */
  files?: Record<string, string>;
  /** Files of TOOLKIT_HOME. */
  home?: Record<string, string>;
  /** Without `--json`, which is added. */
  command: readonly string[];
  env?: Record<string, string>;
  input?: string;
  /** 1 for errors of project, input or account, 2 for wrong usage. */
  exit: 1 | 2;
  code: ErrorCode;
  /** The code that `check` reports at the same location, for mistakes in the code. */
  diagnostic?: DiagnosticCode;
  /** Contained in the message or at its start: `file:line:column`, or the wrong words. */
  place: string;
  /** The text of the fix. */
  hint: RegExp;
}

/** The file of an endpoint without mistakes. */
export const GOOD = `from toolkit_sdk import Endpoint


@Endpoint(name="good", cpu="cpu3c-1-2", workers=(0, 1))
def good(x: int):
    """Good."""
    return x
`;

/** A queue-based endpoint with these arguments, declared in line 4. */
export function queue(args: string, name = 'work'): string {
  return `from toolkit_sdk import Endpoint, GpuGroup, GpuType


@Endpoint(${args})
def ${name}(x: int):
    """Work."""
    return x
`;
}

/** A load-balanced endpoint whose first route is in line 5. */
export function routes(...decorated: [decorator: string, signature: string][]): string {
  const functions = decorated.map(
    ([decorator, signature], index) =>
      `\n\n@api.${decorator}\ndef route${index}(${signature}):\n    """Route."""\n    return {}\n`,
  );
  return `from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))
${functions.join('').slice(1)}`;
}
