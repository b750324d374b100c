import { describeFixes } from './checkFix.ts';
import { route } from './declarationCases.ts';

describeFixes('other-path', [
  route('reserved-path', 'suggests a path for health checks', 'Change the path to "/health"', [
    '@api.get("/ping")\ndef a(): ...\n',
    '@api.get("/health")\ndef a(): ...\n',
  ]),
  route('duplicate-route', "suggests the function's name as path", 'Change the path to "/one/{x}"', [
    '@api.get("/a/{x}")\ndef one(x): ...\n@api.get("/a/{y}")\ndef two(y): ...\n',
    '@api.get("/one/{x}")\ndef one(x): ...\n@api.get("/a/{y}")\ndef two(y): ...\n',
  ]),
]);
