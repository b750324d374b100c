import { writeProject } from '../setup/toolkit.ts';
import { hostSuite } from './hostSuite.ts';

hostSuite(
  'terminal',
  [
    'is available in a terminal that opens in the project',
    'is available in every other terminal, and requires no Node on PATH',
  ],
  (folder) => {
    writeProject(folder, {
      'pyproject.toml': '[tool.toolkit]\napp = "x"\n',
      'one.py':
        'from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c-1-2")\ndef one(x: int):\n    return x\n',
    });
  },
);
