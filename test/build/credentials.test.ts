/** Which of the user's logins a download sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCredentials } from '../../runtime/build/dependencies/credentials.ts';
import { scratch } from './scratch.ts';

const LOGINS = [
  'http://a:1@h/a/simple',
  'http://b:2@h/b/simple/',
  'http://c:3@h/b/simple/inner',
  'http://d@h/d',
];

const CASES: { title: string; file: string; login: string | null }[] = [
  { title: 'the index above a file', file: 'http://h/b/simple/demo/demo.whl', login: 'b:2' },
  { title: 'the innermost index above a file', file: 'http://h/b/simple/inner/demo.whl', login: 'c:3' },
  { title: 'the index next to a file', file: 'http://h/b/files/demo.whl', login: 'b:2' },
  { title: 'the keyring, for the index that has only a user', file: 'http://h/d/demo.whl', login: 'd:found' },
  {
    title: 'the first index of the host for a file elsewhere',
    file: 'http://h/files/demo.whl',
    login: 'a:1',
  },
  {
    title: 'the first index for a folder whose name only starts alike',
    file: 'http://h/bb/x.whl',
    login: 'a:1',
  },
  { title: 'no index of another host', file: 'http://other/b/simple/demo.whl', login: null },
];
for (const { title, file, login } of CASES) {
  test(`a download sends the login of ${title}`, async () => {
    const home = scratch();
    const askKeyring = (url: URL) => Promise.resolve(url.pathname === '/d' ? 'found' : null);
    const authorize = readCredentials(home, [LOGINS.join(' ')], { HOME: home }, askKeyring);
    const sent = await authorize(new URL(file));
    assert.equal(sent ? Buffer.from(sent.slice('Basic '.length), 'base64').toString() : null, login);
  });
}
