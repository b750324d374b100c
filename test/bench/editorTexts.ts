/**
 * The text that the editor's benchmarks edit: a declaration in the middle of a real module of 2,600 lines.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const library = execFileSync('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {
  encoding: 'utf8',
}).trim();
const module = readFileSync(path.join(library, 'argparse.py'), 'utf8');
const middle = module.indexOf('\n\n\nclass ', module.length / 2) + 3;
const declared =
  'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="typed", cpu="cpu3c-1-2", workers=(3, 1';

/** The text before the edited position: inside `workers=(3, 1)`. */
export const HEAD = module.slice(0, middle) + declared;

/** The whole text. */
export const TEXT = `${HEAD}))\ndef run(count: int):\n    """Run."""\n    return count\n\n\n${module.slice(middle)}`;

/** The position after `HEAD`. */
export const PLACE = {
  line: HEAD.split('\n').length - 1,
  character: declared.length - declared.lastIndexOf('\n') - 1,
};
