import { describeFixes } from './checkFix.ts';
import { route } from './declarationCases.ts';

describeFixes('route-parameter-mismatch', [
  route('route-parameter-mismatch', 'writes the nearest parameter', 'Change {itemid} to {item_id}', [
    '@api.get("/é/{itemid:int}")\ndef a(item_id: int): ...\n',
    '@api.get("/é/{item_id:int}")\ndef a(item_id: int): ...\n',
  ]),
  route('route-parameter-mismatch', 'writes it inside brackets', 'Change {y} to {z}', [
    '@api.get(( "/é/{y}" ))\ndef a(z): ...\n',
    '@api.get(( "/é/{z}" ))\ndef a(z): ...\n',
  ]),
  route('route-parameter-mismatch', 'adds the parameter', 'Add the parameter x to a', [
    '@api.get("/a/{x}")\ndef a(): ...\n',
    '@api.get("/a/{x}")\ndef a(x): ...\n',
  ]),
  route('route-parameter-mismatch', 'adds it before defaults', 'Add the parameter x to a', [
    '@api.get("/a/{x}")\ndef a(item: dict, n: int = 1): ...\n',
    '@api.get("/a/{x}")\ndef a(item: dict, x: str, n: int = 1): ...\n',
  ]),
  route('route-parameter-mismatch', 'adds it before keyword-only parameters', 'Add the parameter x to a', [
    '@api.get("/a/{x:int}")\ndef a(*, n=1): ...\n',
    '@api.get("/a/{x:int}")\ndef a(x: int, *, n=1): ...\n',
  ]),
]);
