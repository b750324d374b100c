import { describeFixes } from './checkFix.ts';
import { route } from './declarationCases.ts';

describeFixes('missing-description', [
  route(
    'missing-description',
    'adds a docstring',
    'Add a description to detectFaces',
    [
      '@api.get("/a")\ndef detectFaces(\n    n,\n):  # see\n    # first\n    return n\n',
      '@api.get("/a")\ndef detectFaces(\n    n,\n):  # see\n    """Detect faces."""\n    # first\n    return n\n',
    ],
    { changes: ['description'] },
  ),
  route(
    'missing-description',
    'turns a one-line body into a block',
    'Add a description to list_all',
    [
      '@api.get("/a")\nasync def list_all() -> list: return []\n',
      '@api.get("/a")\nasync def list_all() -> list:\n    """List all."""\n    return []\n',
    ],
    { changes: ['description'] },
  ),
  {
    shows: "describes a class with the file's indentation",
    code: 'missing-description',
    title: 'Add a description to FaceModel',
    before: {
      'a.py':
        'from toolkit_sdk import Endpoint\r\n@Endpoint()\r\nclass FaceModel:\r\n\tsize = 1\r\n\tdef run(self): return 1\r\n',
    },
    after: {
      'a.py':
        'from toolkit_sdk import Endpoint\r\n@Endpoint()\r\nclass FaceModel:\r\n\t"""Face model."""\r\n\tsize = 1\r\n\tdef run(self): return 1\r\n',
    },
    changes: ['description'],
  },
]);
