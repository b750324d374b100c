import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, type FixCase, offered } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';
const BODY = 'def a():\n    import cv2\n    return cv2\n';

/** The text before a function that imports cv2, before and after the fix. */
function added(shows: string, before: string, after: string, changes = ['dependencies']): FixCase {
  return {
    shows,
    code: 'undeclared-dependency',
    title: 'Add "opencv-python" to the dependencies of "a"',
    before: { 'a.py': `${SDK}\n${before}\n${BODY}` },
    after: { 'a.py': `${SDK}\n${after}\n${BODY}` },
    changes,
  };
}

describeFixes('add-dependency', [
  added('adds the argument', '@Endpoint()', '@Endpoint(dependencies=["opencv-python"])'),
  added(
    'adds the argument after others',
    '@Endpoint(name="a")',
    '@Endpoint(name="a", dependencies=["opencv-python"])',
  ),
  added(
    'adds the argument in a new line',
    '@Endpoint(\n    name="a"  # first\n)',
    '@Endpoint(\n    name="a",  # first\n    dependencies=["opencv-python"]\n)',
  ),
  added('fills an empty list', '@Endpoint(dependencies=[])', '@Endpoint(dependencies=["opencv-python"])'),
  added('fills an empty tuple', '@Endpoint(dependencies=())', '@Endpoint(dependencies=("opencv-python",))'),
  added('replaces None', '@Endpoint(dependencies=None)', '@Endpoint(dependencies=["opencv-python"])'),
  added(
    'adds an item with the quotes of the others',
    "@Endpoint(dependencies=['idna'])",
    "@Endpoint(dependencies=['idna', 'opencv-python'])",
  ),
  added(
    'adds an item to a tuple',
    '@Endpoint(dependencies=("idna",))',
    '@Endpoint(dependencies=("idna", "opencv-python",))',
  ),
  added(
    'adds a line with a trailing comma',
    '@Endpoint(dependencies=[\n    "idna",  # [x]\n])',
    '@Endpoint(dependencies=[\n    "idna",  # [x]\n    "opencv-python",\n])',
  ),
  added(
    'adds a line without a trailing comma',
    '@Endpoint(dependencies=[\n    "idna"\n])',
    '@Endpoint(dependencies=[\n    "idna",\n    "opencv-python"\n])',
  ),
  added(
    'adds an item to a constant',
    'DEPS = ["idna"]\n@Endpoint(dependencies=DEPS)',
    'DEPS = ["idna", "opencv-python"]\n@Endpoint(dependencies=DEPS)',
  ),
  added(
    'adds an item to the list next to a constant',
    'DEPS = ["idna"]\n@Endpoint(dependencies=DEPS + ["requests"])',
    'DEPS = ["idna"]\n@Endpoint(dependencies=DEPS + ["requests", "opencv-python"])',
  ),
  added(
    'adds an item inside shared settings',
    'S = {"dependencies": ["idna"]}\n@Endpoint(**S)',
    'S = {"dependencies": ["idna", "opencv-python"]}\n@Endpoint(**S)',
  ),
  {
    shows: 'adds an item to a constant of another file',
    code: 'undeclared-dependency',
    title: 'Add "opencv-python" to the dependencies of "a"',
    before: {
      'a.py': `from shared import DEPS\n${SDK}\n@Endpoint(dependencies=DEPS)\n${BODY}`,
      'shared.py': 'DEPS = [ "idna" ]\n',
    },
    after: { 'shared.py': 'DEPS = [ "idna", "opencv-python" ]\n' },
    changes: ['dependencies'],
  },
  {
    shows: 'adds a line to a requirements.txt without a final line end',
    code: 'undeclared-dependency',
    title: 'Add "opencv-python" to requirements.txt',
    before: { 'a.py': `${SDK}\n@Endpoint()\n${BODY}`, 'requirements.txt': 'idna\nrequests' },
    after: { 'requirements.txt': 'idna\nrequests\nopencv-python\n' },
  },
  {
    shows: 'adds it to the instance whose route imports it',
    code: 'undeclared-dependency',
    title: 'Add "opencv-python" to the dependencies of "api"',
    before: { 'a.py': `${SDK}\napi = Endpoint(name="api")\n@api.post("/a")\n${BODY}` },
    after: {
      'a.py': `${SDK}\napi = Endpoint(name="api", dependencies=["opencv-python"])\n@api.post("/a")\n${BODY}`,
    },
    changes: ['dependencies'],
  },
]);

describe('add-dependency offers', () => {
  it('requirements.txt only if it exists', async () => {
    const files = { 'a.py': `${SDK}\n@Endpoint()\n${BODY}` };
    assert.deepEqual(await offered(files, 'undeclared-dependency'), [
      'Add "opencv-python" to the dependencies of "a"',
    ]);
  });
});
