/**
 * The dependency sets of the newest build. They are installed only when the requirements or the lock change. An
 * installation continues if a newer build needs the same packages, and is aborted if it needs others.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_FILES } from '../contract/names.ts';
import { areUnchanged } from './dependencies/localFiles.ts';
import { type DependencySet, installDependencies } from './installDependencies.ts';

/** What an installation depends on. */
interface Input {
  /** The requirements of each endpoint. */
  key: string;
  /** The text of pylock.toml; null if there is none. */
  lock: string | null;
}

interface Installation extends Input {
  sets: Promise<DependencySet[]>;
  /** Aborts it. Resolves when it has ended. */
  abort(): Promise<void>;
}

export class LiveDependencies {
  #installed: (Input & { sets: DependencySet[] }) | null = null;
  #running: Installation | null = null;

  /**
   * The sets for the given requirements.
   *
   * @param overtaken - Aborted when a newer build is waiting. Ends this wait, but not the installation.
   * @throws ToolkitError like `installDependencies`; the reason of `overtaken`.
   */
  async install(
    overtaken: AbortSignal,
    ...given: Parameters<typeof installDependencies>
  ): Promise<DependencySet[]> {
    const [requirements, exclude, , { python, root }] = given;
    const asked = requirements.endpoints.map((name) => [name, requirements.of([name])]);
    const key = JSON.stringify([asked, exclude, python]);
    const running = this.#running;
    if (running && !isSame(running, { key, lock: await readLockText(root) })) await running.abort();
    const input = { key, lock: await readLockText(root) };
    const installed = this.#installed;
    if (installed && isSame(installed, input)) {
      const packages = installed.sets.flatMap((set) => set.packages);
      if (await areUnchanged(packages, overtaken)) return installed.sets;
    }
    this.#running ??= this.#begin(input, given);
    return unlessAborted(this.#running.sets, overtaken);
  }

  /** Aborts the running installation. */
  async close(): Promise<void> {
    await this.#running?.abort();
  }

  #begin(input: Input, given: Parameters<typeof installDependencies>): Installation {
    const [requirements, exclude, limit, options] = given;
    const aborting = new AbortController();
    const signal = AbortSignal.any([options.signal, aborting.signal]);
    const install = async () => {
      const sets = await installDependencies(requirements, exclude, limit, { ...options, signal });
      // It may have written the lock.
      this.#installed = { key: input.key, lock: await readLockText(options.root), sets };
      return sets;
    };
    const sets = install().finally(() => {
      this.#running = null;
    });
    const ended = sets.then(
      () => {},
      () => {},
    );
    const abort = () => {
      aborting.abort();
      return ended;
    };
    return { ...input, sets, abort };
  }
}

function isSame(one: Input, other: Input): boolean {
  return one.key === other.key && one.lock === other.lock;
}

/** The text of pylock.toml; null if the project has none. */
function readLockText(root: string): Promise<string | null> {
  return readFile(path.join(root, PROJECT_FILES.lock), 'utf8').catch(() => null);
}

/** The result of work. Throws the signal's reason if it is aborted first; the work still continues. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
