/** What the editor's benchmarks type in: a real module of 2,000 lines and more that also declares endpoints. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The declaration whose workers are typed; its second number stands at the end of this text. */
export const HEAD =
  'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="typed", cpu="cpu3c-1-2", workers=(3, 1';

/** A declaration before the text of Python's own argparse. */
export function longText(): string {
  const library = execFileSync('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {
    encoding: 'utf8',
  }).trim();
  const body = '))\ndef run(count: int):\n    """Run."""\n    return count\n\n\n';
  return HEAD + body + readFileSync(path.join(library, 'argparse.py'), 'utf8');
}

/** The place behind `HEAD`. */
export const PLACE = { line: 3, character: HEAD.length - HEAD.lastIndexOf('\n') - 1 };
