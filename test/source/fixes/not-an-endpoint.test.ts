import { describeFixes } from './checkFix.ts';
import { SDK } from './declarationCases.ts';

describeFixes('not-an-endpoint', [
  {
    shows: 'writes the intended instance',
    code: 'not-an-endpoint',
    title: 'Change to @api.get(...)',
    before: {
      'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.get("/b")\ndef b(): ...\n@apii.get("/a")\ndef a(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.get("/b")\ndef b(): ...\n@api.get("/a")\ndef a(): ...\n`,
    },
    changes: ['kind'],
    with: ['missing-description'],
  },
]);
