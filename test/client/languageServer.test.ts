import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostSuite } from './hostSuite.ts';

const BAD =
  'from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c12")\ndef one(x: int):\n    """One."""\n    return x\n';

hostSuite(
  'languageServer',
  ['shows mistakes at their location', 'shows lenses whose commands this extension has'],
  (folder) => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'pyproject.toml'), '[tool.toolkit]\napp = "x"\n');
    writeFileSync(path.join(folder, 'bad.py'), BAD);
  },
);
