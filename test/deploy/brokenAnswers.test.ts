/** Platforms whose responses are not what they should be. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';

describe('a response of a platform', () => {
  const bench = workbench({ after });
  const project = bench.project('app', { 'pyproject.toml': '' });

  const cases: { title: string; answer: (response: ServerResponse) => void; says: RegExp }[] = [
    {
      title: 'that breaks off is reported as an unreachable platform',
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
        response.write('{"data":', () => response.socket?.destroy());
      },
      says: /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: other side closed\.$/,
    },
    {
      title: 'that is not JSON is reported with the address',
      answer: (response) => response.end('<html>'),
      says: /^http:\/\/127\.0\.0\.1:\d+\/graphql returned 200 with a body that is not JSON\.$/,
    },
    {
      title: 'with an error code that this version does not know is reported with its message',
      answer: (response) => {
        response.writeHead(400).end(JSON.stringify({ error: 'The moon is full.', code: 'MOON_FULL' }));
      },
      says: /^The moon is full\.$/,
    },
  ];
  for (const { title, answer, says } of cases) {
    it(title, async () => {
      const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const env = { PLATFORM_API_URL: `http://127.0.0.1:${port}`, PLATFORM_API_KEY: 'rpa_test' };
      const ran = await bench.toolkit(project, ['status', '--json'], { env });
      server.close();
      assert.match(ran.json<{ error: { message: string } }>().error.message, says);
      assert.equal(ran.code, 1);
      assert.doesNotMatch(ran.stderr, /^ {4}at /m);
    });
  }
});
