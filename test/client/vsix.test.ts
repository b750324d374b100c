/** The extension as users get it: the content of the VSIX, and that it works without anything else. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { writeProject } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const root = path.join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

const FILES = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/cli.js',
  'extension/dist/diagnostics.md',
  'extension/dist/extension.cjs',
  'extension/dist/startExtension.cjs',
  'extension/dist/media/page.css',
  'extension/dist/media/page.js',
  'extension/dist/platform.js',
  'extension/dist/server.js',
  'extension/dist/toolkit_manifest.schema.json',
  `extension/dist/toolkit_sdk-${version}-py3-none-any.whl`,
  'extension/dist/tree-sitter-python.wasm',
  'extension/dist/web-tree-sitter.wasm',
  'extension/media/icons/endpoint.svg',
  'extension/media/icons/icon.png',
  'extension/media/walkthrough/endpoints.svg',
  'extension/media/walkthrough/project.svg',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/syntaxes/endpoint.injection.tmLanguage.json',
  'extension/syntaxes/toolkitignore.tmLanguage.json',
];

interface Manifest {
  main: string;
  icon: string;
  contributes: {
    grammars: { path: string }[];
    jsonValidation: { url: string }[];
    viewsContainers: { activitybar: { icon: string }[] };
    walkthroughs: { steps: { media: { svg: string } }[] }[];
  };
}

describe('the VSIX', () => {
  const file = ensureVsix();
  const entries = unzipSync(readFileSync(file));
  const textOf = (name: string) => strFromU8(entries[name]!);
  const manifest = JSON.parse(textOf('extension/package.json')) as Manifest;

  it('contains these files and no others, and is small', () => {
    assert.deepEqual(Object.keys(entries).toSorted(), FILES.toSorted());
    assert.ok(FILES.length <= 25);
    assert.ok(statSync(file).size <= 1_500_000);
  });

  it('contains every file that its package.json names, and every text', () => {
    const { main, icon, contributes } = manifest;
    const named = [
      main,
      icon,
      ...contributes.grammars.map((grammar) => grammar.path),
      ...contributes.jsonValidation.map(({ url }) => url),
      ...contributes.viewsContainers.activitybar.map((container) => container.icon),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    for (const name of named) assert.ok(`extension/${path.posix.normalize(name)}` in entries, name);
    const keys = [...textOf('extension/package.json').matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key!);
    const texts = JSON.parse(textOf('extension/package.nls.json')) as Record<string, string>;
    assert.deepEqual(Object.keys(texts).toSorted(), [...new Set(keys)].toSorted());
  });

  it('contains nothing about the machine that packed it, and no source maps, scripts or keys', () => {
    for (const name of FILES) {
      const text = textOf(name);
      for (const place of [root, homedir() + path.sep, path.join(tmpdir(), 'toolkit-')])
        assert.ok(!text.includes(place), `${name} contains ${place}`);
      assert.doesNotMatch(text, /sourceMappingURL=|-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/]/, name);
    }
    assert.deepEqual(
      ['scripts', 'devDependencies', 'private', 'files'].filter((key) => key in manifest),
      [],
    );
  });

  describe('installed', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-vsix-'));
    const project = path.join(folder, 'project');
    let code: VSCode;
    let page: Page;

    before(async () => {
      writeProject(project, {
        'pyproject.toml': '[tool.toolkit]\napp = "x"\n',
        'bad.py':
          'import toolkit_sdk\n\napi = toolkit_sdk.Endpoint(name="api", cpu="cpu3c12")\nother = toolkit_sdk.Other()\n\n\n@api.get("/x")\n@api.other("/x")\ndef x() -> dict:\n    return {}\n',
        '.toolkitignore': '# data\n!keep.key\n',
        'toolkit_manifest.json': '{ "resources": 1 }\n',
      });
      code = await VSCode.start({
        home: folder,
        env: process.env,
        install: [file],
        settings: {
          'editor.semanticHighlighting.enabled': false,
          'workbench.secondarySideBar.defaultVisibility': 'hidden',
        },
      });
      page = await code.open(project);
    });
    after(async () => {
      await page.close({ runBeforeUnload: true });
      await code.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('shows lenses, mistakes and endpoints', async () => {
      await new Workbench(page).openFile('bad.py');
      await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
      await page.locator('.squiggly-error').first().waitFor();
      await page.locator('.activitybar .action-item', { hasText: '1' }).waitFor();
    });

    it('marks declarations and routes', async () => {
      const declared = await page.locator('.view-lines span[class^=mtk]').allTextContents();
      for (const marked of ['Endpoint', 'get']) assert.ok(declared.includes(marked), declared.join('|'));
      for (const other of ['Other', 'other']) assert.ok(!declared.includes(other), declared.join('|'));
    });

    it('recognizes .toolkitignore, and checks the manifest with its schema', async () => {
      await new Workbench(page).openFile('.toolkitignore');
      await page.locator('.statusbar-item', { hasText: 'Toolkit Ignore' }).waitFor();
      await new Workbench(page).openFile('toolkit_manifest.json');
      await page.locator('.squiggly-warning').first().waitFor();
    });

    it('has a walkthrough with pictures', async () => {
      // A narrow window hides the pictures.
      await page.setViewportSize({ width: 1600, height: 900 });
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').fill('>Welcome: Open Walkthrough...');
      await page
        .locator('.quick-input-list .monaco-list-row', { hasText: 'Open Walkthrough' })
        .first()
        .click();
      await page
        .locator('.quick-input-list .monaco-list-row', { hasText: 'Get started with Serverless' })
        .click();
      await page.getByText('Set up Python').waitFor();
      await page
        .frameLocator('iframe.webview')
        .frameLocator('iframe')
        .getByRole('img', { name: 'Run and Deploy above it' })
        .waitFor();
    });
  });
});
