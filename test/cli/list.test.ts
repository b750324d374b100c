/** How `toolkit list` shows dynamic, invalid and empty declarations. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';

describe('toolkit list', () => {
  const bench = workbench({ after });

  it('distinguishes dynamic from invalid values, and leaves no gap where nothing is served', async () => {
    const project = bench.project('shop', {
      'a.py': `import sys
from toolkit_sdk import Endpoint
a = Endpoint(name="", workers=(3, 1), cpu="cpu3c")
b = Endpoint(name=sys.platform, workers=len(sys.argv), cpu=sys.argv[1])
`,
    });
    const { stdout } = await bench.toolkit(project, ['list', '--project', '.']);
    assert.deepEqual(stdout.split('\n').slice(0, 6), [
      'shop / production',
      '',
      '(no valid name)  load-balanced · invalid hardware · invalid workers  a.py:3',
      '',
      '(dynamic name)  load-balanced · dynamic hardware · dynamic workers  a.py:4',
      '',
    ]);
  });
});
