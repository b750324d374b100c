import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repaired } from './checkFix.ts';
import { SDK } from './declarationCases.ts';

describe('all safe fixes', () => {
  it('are applied together, without the other fixes', async () => {
    const before = `import cv2\n${SDK}\n@Endpoint(name="a b", workers=(3, 1), cpu="5c-4-8", dependencies=["opencv-python"])\ndef a(): return cv2\napi = Endpoint(name="api")\n@api.get("b")\ndef b(): return cv2\n@Endpoint\ndef c(): ...\n`;
    const { result } = await repaired({ 'a.py': before }, 'a.py');
    assert.equal(
      result['a.py'],
      `${SDK}\n@Endpoint(name="a b", workers=(1, 3), cpu="cpu5c-4-8", dependencies=["opencv-python"])\ndef a():\n    import cv2\n    return cv2\napi = Endpoint(name="api")\n@api.get("/b")\ndef b():\n    import cv2\n    return cv2\n@Endpoint()\ndef c(): ...\n`,
    );
  });
});
