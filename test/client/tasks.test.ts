import { writeProject } from '../setup/toolkit.ts';
import { hostSuite } from './hostSuite.ts';

/** As Python 3.10 writes it, and as `toolkit dev` shows what 3.11 writes. */
const TRACEBACKS = `Traceback (most recent call last):
  File "plain.py", line 10, in bad
    return helper(n)
  File "plain.py", line 13, in helper
    return 1 / n
ZeroDivisionError: division by zero
api-1 | Traceback (most recent call last):
api-1 |   File "marked.py", line 9, in sell
api-1 |     return take(n)
api-1 |            ^^^^^^^
api-1 |   File "marked.py", line 4, in take
api-1 |     return left[n]
api-1 |            ~~~~^^^
api-1 | shop.Sold: "one" is gone
`;

const TASKS = {
  version: '2.0.0',
  tasks: [
    { type: 'toolkit', command: 'check', args: ['--no-color'] },
    {
      type: 'shell',
      label: 'traceback',
      // It keeps running, like a server: VS Code reads for at most 100 ms after the end of a task.
      command: 'cat tracebacks.txt; tail -f /dev/null',
      // In a terminal that ran a task before, VS Code 1.139 reads each line once more per task.
      presentation: { panel: 'new' },
      problemMatcher: ['$toolkit-traceback', '$toolkit-traceback-marked'],
    },
  ],
};

hostSuite(
  'tasks',
  [
    'adds the findings of the task `check` to the problems',
    'leads from a traceback to its line',
    'offers no tasks in a folder that is not a project, and every command in one that is',
  ],
  (folder) => {
    writeProject(folder, {
      'bad.py':
        'from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c12")\ndef one(x: int):\n    return x\n',
      'plain.py': '\n'.repeat(20),
      'marked.py': '\n'.repeat(20),
      'tracebacks.txt': TRACEBACKS,
      '.vscode/tasks.json': JSON.stringify(TASKS),
    });
  },
);
