import { describeFixes } from './checkFix.ts';
import { SDK } from './declarationCases.ts';

describeFixes('call-endpoint', [
  {
    shows: 'calls a bare decorator',
    code: 'unsupported-form',
    title: 'Change to @Endpoint()',
    before: { 'a.py': `${SDK}\n@Endpoint\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint()\ndef a(): ...\n` },
    changes: ['kind'],
    with: ['missing-description'],
  },
  {
    shows: 'writes the intended verb',
    code: 'unsupported-form',
    title: 'Change gett to get',
    before: { 'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.gett("/a")\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.get("/a")\ndef a(): ...\n` },
    changes: ['kind'],
    with: ['missing-description', 'no-routes'],
  },
]);
