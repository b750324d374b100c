/**
 * A day of editing: steps that an editor, its user and other programs make in a workspace. Whenever it is
 * quiet, what the server has published must equal what a newly started server and the commands report.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import {
  FOLDERS,
  IGNORES,
  LOOSE,
  PIECES,
  PLACES,
  PROJECTS,
  type Step,
  step,
  TABLES,
  TEXTS,
} from './editingSteps.ts';
import { LanguageClient, uriOf } from './languageClient.ts';
import { compareWithCheck, publishedLines } from './publishedLines.ts';

const of = <Item>(items: readonly Item[], at: number): Item => items[at % items.length]!;

class Editing {
  readonly base: string;
  readonly client: LanguageClient;
  readonly #folders: Set<string>;
  /** Absolute path → its document and its previous text. */
  readonly #open = new Map<string, { document: TextDocument; before: string }>();

  constructor(base: string, client: LanguageClient, folders: string[]) {
    this.base = base;
    this.client = client;
    this.#folders = new Set(folders);
  }

  async take({ kind, a, b, c }: Step): Promise<void> {
    const place = path.join(this.base, of(PLACES, a));
    const open = [...this.#open.keys()];
    const shown = of(open, a);
    switch (kind) {
      case 'open': {
        const file = path.join(this.base, of([...PLACES, ...LOOSE], a));
        return this.#show(file, textOnDisk(file) ?? of(TEXTS, b));
      }
      case 'type':
        return shown ? this.#type(shown, b, c) : undefined;
      case 'cursors':
        return shown ? this.#cursors(shown, b, of(PIECES, c)) : undefined;
      case 'whole':
        return shown ? this.#change(shown, [{ text: of(textsOf(shown), b) }]) : undefined;
      case 'undo':
        return shown ? this.#change(shown, [{ text: this.#open.get(shown)!.before }]) : undefined;
      case 'save':
        return this.#save(open.slice(a % (open.length + 1)).slice(0, 1));
      case 'saveAll':
        return this.#save(open);
      case 'close':
        return shown ? this.#close(shown) : undefined;
      case 'closeAgain':
        return this.#open.has(place) ? undefined : this.client.close(uriOf(place));
      case 'changeUnopened':
        return this.#open.has(place) ? undefined : this.client.change(uriOf(place), { text: of(TEXTS, b) });
      case 'write':
        return this.#report([this.#write(place, of(TEXTS, b))]);
      case 'delete':
        return this.#report(this.#remove(place));
      case 'rename':
        return this.#report(this.#move(place, path.join(this.base, of(PLACES, b)), c));
      case 'renameOpen': {
        const to = path.join(this.base, of(PLACES, b));
        if (!shown?.endsWith('.py') || shown.includes('/loose/') || !existsSync(shown) || existsSync(to))
          return;
        const text = this.#open.get(shown)!.document.getText();
        const events = this.#move(shown, to, c);
        if (b % 2) await this.#report(events);
        await this.#close(shown);
        await this.#show(to, text);
        return b % 2 ? undefined : this.#report(events);
      }
      case 'branch':
        return this.#report(
          PLACES.flatMap((one, at) => {
            const change = (a >> at) % 3;
            const file = path.join(this.base, one);
            if (change === 0) return [];
            return change === 1 ? this.#remove(file) : [this.#write(file, of(TEXTS, b + at * 7))];
          }).sort((one, other) => (one.uri < other.uri === c % 2 > 0 ? -1 : 1)),
        );
      case 'pyproject':
      case 'typePyproject': {
        const file = path.join(this.base, of(PROJECTS, a), 'pyproject.toml');
        if (kind === 'typePyproject' && existsSync(file)) return this.#show(file, readFileSync(file, 'utf8'));
        return this.#report(c % 3 ? [this.#write(file, of(TABLES, b))] : this.#remove(file));
      }
      case 'ignore': {
        const file = path.join(
          this.base,
          of(['one', 'one/sub', 'two'], a),
          of(['.toolkitignore', '.gitignore'], c),
        );
        return this.#report([this.#write(file, of(IGNORES, b))]);
      }
      case 'nothing':
        return this.#report(
          ['one/gone.py', 'one/gone', 'elsewhere/x.py', '', 'one', '../x.py'].map((one, at) => ({
            uri: uriOf(path.join(this.base, one)),
            type: 1 + ((a >> at) % 3),
          })),
        );
      case 'addFolder':
      case 'removeFolder': {
        const folder = path.join(this.base, of(['one', 'two', 'one/sub', 'one/sub/nested', ''], a));
        if (kind === 'addFolder' && !this.#folders.has(folder)) {
          this.#folders.add(folder);
          await this.client.addFolder(folder);
        } else if (kind === 'removeFolder' && this.#folders.delete(folder))
          await this.client.removeFolder(folder);
        return;
      }
      case 'moveFolder': {
        const from = path.join(this.base, of(FOLDERS, a));
        const to = `${from}-${b % 2}`;
        return this.#report(b % 4 > 1 ? this.#move(from, to, c) : this.#move(to, from, c));
      }
      case 'deleteFolder':
        return b % 3 ? undefined : this.#report(this.#remove(path.join(this.base, of(FOLDERS, a))));
      case 'wait':
        await new Promise((resolve) => setTimeout(resolve, a % 160));
        return;
      case 'quiet':
        return this.compare();
    }
  }

  /** Compares everything published with a new server, and with the commands if nothing is unsaved. */
  async compare(): Promise<void> {
    await this.client.settled();
    const fresh = await LanguageClient.start({ folders: [...this.#folders], env: ENV });
    for (const { document } of this.#open.values()) await fresh.open(document.uri, document.getText());
    await fresh.settled();
    const lines = publishedLines(this.client, this.base);
    const expected = publishedLines(fresh, this.base);
    await fresh.stop();
    // While a pyproject.toml is broken, its last good version applies, which only this server knows.
    if (expected.some((line) => line.includes('pyproject.toml PROJECT_CONFIG'))) return;
    assert.deepEqual(
      {
        missing: expected.filter((line) => !lines.includes(line)),
        wrong: lines.filter((line) => !expected.includes(line)),
      },
      { missing: [], wrong: [] },
    );
    assert.deepEqual(lines, expected);
    const isSaved = [...this.#open.values()].every(
      ({ document }) => textOnDisk(fileURLToPath(document.uri)) === document.getText(),
    );
    if (!isSaved) return;
    await compareWithCheck(this.client, [...this.#folders], ENV);
  }

  async #show(file: string, text: string): Promise<void> {
    if (this.#open.has(file)) return;
    this.#open.set(file, { document: TextDocument.create(uriOf(file), 'python', 1, text), before: text });
    await this.client.open(uriOf(file), text);
  }

  async #close(file: string): Promise<void> {
    this.#open.delete(file);
    await this.client.close(uriOf(file));
  }

  async #change(
    file: string,
    changes: {
      range?: { start: { line: number; character: number }; end: { line: number; character: number } };
      text: string;
    }[],
  ): Promise<void> {
    const shown = this.#open.get(file)!;
    shown.before = shown.document.getText();
    TextDocument.update(shown.document, changes, shown.document.version + 1);
    await this.client.change(uriOf(file), ...changes);
  }

  /** Letter by letter, each bracket and quote with its counterpart. */
  async #type(file: string, at: number, what: number): Promise<void> {
    const { document } = this.#open.get(file)!;
    const text = of(textsOf(file), what).slice(0, 40);
    let offset = at % (document.getText().length + 1);
    for (const letter of text.slice(0, 4 + (what % 12))) {
      const start = document.positionAt(offset);
      const both = { '(': '()', '[': '[]', '"': '""' }[letter] ?? letter;
      await this.#change(file, [{ range: { start, end: start }, text: both }]);
      offset = document.offsetAt(start) + letter.length;
    }
  }

  /** With several cursors, from the last one to the first. */
  async #cursors(file: string, at: number, text: string): Promise<void> {
    const { document } = this.#open.get(file)!;
    const length = document.getText().length + 1;
    const offsets = [...new Set([at % length, (at * 7) % length, (at * 13) % length])].sort((a, b) => b - a);
    const changes = offsets.map((offset, place) => {
      const start = document.positionAt(offset);
      const isReplaced = place === 0 && at % 2 > 0;
      return { range: { start, end: isReplaced ? document.positionAt(offset + 3) : start }, text };
    });
    await this.#change(file, changes);
  }

  async #save(files: readonly string[]): Promise<void> {
    const inside = files.filter((file) => !file.includes('/loose/'));
    const events = inside.map((file) => this.#write(file, this.#open.get(file)!.document.getText()));
    for (const file of files)
      await this.client.notify('textDocument/didSave', { textDocument: { uri: uriOf(file) } });
    await this.#report(events);
  }

  #write(file: string, text: string) {
    const type = existsSync(file) ? 2 : 1;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return { uri: uriOf(file), type };
  }

  #remove(file: string) {
    if (!existsSync(file)) return [];
    rmSync(file, { recursive: true });
    return [{ uri: uriOf(file), type: 3 }];
  }

  #move(from: string, to: string, order: number) {
    if (!existsSync(from) || existsSync(to)) return [];
    mkdirSync(path.dirname(to), { recursive: true });
    renameSync(from, to);
    const events = [
      { uri: uriOf(from), type: 3 },
      { uri: uriOf(to), type: 1 },
    ];
    return order % 2 ? events : events.toReversed();
  }

  async #report(changes: { uri: string; type: number }[]): Promise<void> {
    if (changes.length > 0) await this.client.notify('workspace/didChangeWatchedFiles', { changes });
  }
}

/** Packages installed on this machine are ignored. */
const ENV = { TOOLKIT_PYTHON: '', VIRTUAL_ENV: '', PATH: '/nonexistent' };

const textsOf = (file: string): readonly string[] => (file.endsWith('.toml') ? TABLES : TEXTS);
const textOnDisk = (file: string) =>
  existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : null;

/** Days of editing, each in a separate workspace. */
export async function tryDays({
  seed,
  days,
  steps,
}: {
  seed: number;
  days: number;
  steps: number;
}): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: steps, maxLength: steps }), async (taken) => {
      const base = writeProject(
        {
          'one/pyproject.toml': TABLES[1],
          'one/worker.py': TEXTS[2],
          'one/lb.py': TEXTS[5],
          'one/routes.py': TEXTS[8],
          'one/sub/nested/w.py': TEXTS[4],
          'one/sub/nested/pyproject.toml': TABLES[2],
          'two/worker.py': TEXTS[3],
          'loose/worker.py': TEXTS[12],
        },
        makeFolder(),
      );
      const folders = [path.join(base, 'one'), path.join(base, 'two')];
      const client = await LanguageClient.start({ folders, env: ENV });
      const editing = new Editing(base, client, folders);
      try {
        for (const one of taken) await editing.take(one);
        await editing.compare();
        await client.stop();
      } finally {
        client.process.kill('SIGKILL');
      }
    }),
    // Shrinking a day would take a workspace and servers each time, so a failure is shown in full.
    { seed, numRuns: days, endOnFailure: true },
  );
}
