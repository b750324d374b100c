/**
 * The licenses of third-party code: each artifact contains them, and nothing is bundled under an unknown
 * license.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { NOTICES_FILE, noticesFor } from '../notices.ts';
import { writeProject } from './setup/toolkit.ts';
import { ensureVsix } from './setup/vsix.ts';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const LICENSE_TEXT = 'Copyright (c) Somebody\n\nDo what you want.\n';
/** An import of a package that is not only for types. */
const IMPORT = /^(?:import (?!type\b)[^;]*?from |import |.*\bimport\()'([^'.][^']*)'/gm;

/** The editor provides the first; the second is used where npm could install it. */
const NOT_BUNDLED = new Set(['vscode', 'tree-sitter']);

describe('licenses of bundled packages', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-notices-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Writes a package with this license and returns its main file. */
  const installed = (
    name: string,
    license: unknown,
    files: Record<string, string> = { LICENSE: LICENSE_TEXT },
  ) => {
    const place = writeProject(path.join(folder, 'node_modules', name), {
      ...files,
      'package.json': JSON.stringify({ name, version: '1.2.3', license }),
      'lib/index.js': '',
    });
    return path.join(place, 'lib/index.js');
  };

  it('are listed with their texts, equal texts once', () => {
    const files = [
      installed('b', '(GPL-3.0 OR MIT)'),
      installed('@scope/a', 'ISC'),
      installed('c', 'Apache-2.0', { 'LICENSE.md': 'Apache\r\n', NOTICE: 'Notice\n' }),
      path.join(folder, 'own.ts'),
    ];
    const line = '-'.repeat(80);
    assert.equal(
      noticesFor(files).split(`\n${line}\n\n`).slice(1).join(`${line}\n`),
      `@scope/a 1.2.3 (ISC)\nb 1.2.3 ((GPL-3.0 OR MIT))\n\n${LICENSE_TEXT}${line}\nc 1.2.3 (Apache-2.0)\n\nApache\n\nNotice\n`,
    );
  });

  for (const [title, license, files, expected] of [
    ['one that is not in the list', 'GPL-3.0-only', undefined, /has the license "GPL-3\.0-only"/],
    ['one that requires more than one of the list', 'MIT AND GPL-2.0', undefined, /has the license "MIT AND/],
    ['an unknown one', undefined, undefined, /has the license undefined/],
    ['one without its text', 'MIT', {}, /has no file with the text/],
  ] as const) {
    it(`refuses ${title}`, () => {
      const name = title.replaceAll(' ', '-');
      assert.throws(() => noticesFor([installed(name, license, files)]), expected);
    });
  }

  it('name every package that the sources import', () => {
    const notices = readFileSync(path.join(dist, NOTICES_FILE), 'utf8');
    const sources = globSync('{client,media,runtime,server}/**/*.{ts,tsx}', { cwd: root });
    const imported = new Set<string>();
    for (const source of sources) {
      for (const [, id] of readFileSync(path.join(root, source), 'utf8').matchAll(IMPORT)) {
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(id!)![0];
        if (!isBuiltin(id!) && !NOT_BUNDLED.has(name)) imported.add(name);
      }
    }
    assert.ok(imported.size > 20, [...imported].join());
    const lacking = [...imported].filter((name) => !new RegExp(`^${name} \\d`, 'm').test(notices));
    assert.deepEqual(lacking, []);
  });

  it('are in the npm package', () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for (const file of ['LICENSE', `dist/${NOTICES_FILE}`]) assert.ok(packed.includes(`"${file}"`), file);
  });

  it("are in the VSIX, after the project's own", () => {
    const text = strFromU8(unzipSync(readFileSync(ensureVsix()))['extension/LICENSE.txt']!);
    assert.ok(text.startsWith(readFileSync(path.join(root, 'LICENSE'), 'utf8')));
    assert.ok(text.endsWith(readFileSync(path.join(dist, NOTICES_FILE), 'utf8')));
  });

  it("the wheel of toolkit_sdk contains the project's own license and no third-party code", () => {
    const [wheel] = globSync('*.whl', { cwd: dist });
    const entries = unzipSync(readFileSync(path.join(dist, wheel!)));
    const info = wheel!.replace('-py3-none-any.whl', '.dist-info');
    assert.equal(strFromU8(entries[`${info}/LICENSE`]!), readFileSync(path.join(root, 'LICENSE'), 'utf8'));
    assert.match(strFromU8(entries[`${info}/METADATA`]!), /^License-File: LICENSE$/m);
    const own = Object.keys(entries).filter((name) => name.startsWith('toolkit_sdk/'));
    for (const name of own) assert.doesNotMatch(strFromU8(entries[name]!), /copyright|spdx-license/i, name);
    assert.equal(own.length + 4, Object.keys(entries).length);
  });
});
