/**
 * What a project's files and its Python's packages tell of imports: which distribution gives a module, and whether
 * given requirements provide it. Nothing is read before it is asked for; what has changed on disk is read again.
 */
import path from 'node:path';
import { PROJECT_FILES, SDK_DISTRIBUTION } from '../../contract/names.ts';
import { type DeclaredRequirements, declaredRequirements } from './declaredRequirements.ts';
import { normalizeName } from './distributionName.ts';
import { Environment } from './Environment.ts';
import type { InterpreterSearch } from './interpreterFolders.ts';
import { knownDistributions, likelyDistributions, namespaceOf } from './knownModules.ts';
import { KNOWN_DISTRIBUTIONS, KNOWN_REQUIREMENTS } from './knownRequirements.ts';
import { type LockedRequirements, lockedRequirements } from './lockedRequirements.ts';
import { mayApply, parseRequirement, type Requirement } from './parseRequirement.ts';
import { stampOf } from './stampOf.ts';

const NO_EXTRAS: ReadonlySet<string> = new Set();

/** Requirements that are kept as they were taken apart. */
const KEPT = 1_000;

export class Dependencies {
  #search: InterpreterSearch;
  #environment: { stamp: string; found: Environment } | null = null;
  #declared: DeclaredRequirements | null = null;
  #locked: { stamp: string; found: LockedRequirements } | null = null;
  readonly #parsed = new Map<string, Requirement | null>();
  #openPyproject: string | undefined;

  readonly #beforeWork: (() => void) | undefined;

  /**
   * @param search - The project's root, and where its Python is looked for.
   * @param beforeWork - Called before each installed distribution is read; may throw, and what was read is kept.
   */
  constructor(search: InterpreterSearch, beforeWork?: () => void) {
    this.#search = search;
    this.#beforeWork = beforeWork;
  }

  /** The text of pyproject.toml counts as an editor has it open; null when it is open no more. */
  showPyproject(text: string | null): void {
    this.#openPyproject = text ?? undefined;
    this.#declared = null;
  }

  /**
   * Another interpreter is named; undefined for none.
   *
   * @returns Whether it differs from the last one.
   */
  usePython(python: string | undefined): boolean {
    if (this.#search.python === python) return false;
    this.#search = { ...this.#search, python };
    this.#environment = null;
    return true;
  }

  /** The packages of the project's Python. It is looked for again when the root's entries have changed. */
  get environment(): Environment {
    const stamp = stampOf(this.#search.root);
    if (this.#environment?.stamp !== stamp) {
      const found = Environment.find(this.#search, this.#beforeWork);
      const isSame = this.#environment?.found.folders.join('\n') === found.folders.join('\n');
      this.#environment = { stamp, found: isSame && this.#environment ? this.#environment.found : found };
    }
    return this.#environment.found;
  }

  /** What requirements.txt and pyproject.toml ask for, as written; null when it cannot be told. */
  ofProject(): readonly string[] | null {
    const known = this.#declared;
    const isCurrent = known !== null && [...known.stamps].every(([file, stamp]) => stampOf(file) === stamp);
    this.#declared = isCurrent ? known : declaredRequirements(this.#search.root, this.#openPyproject);
    return this.#declared.isOpen ? null : this.#declared.texts;
  }

  /**
   * The distribution that a dotted module comes from, to be added to dependencies; null where none is known.
   *
   * @param declared - Requirements of the project's endpoints, which are known too.
   */
  distributionOf(module: string, declared: readonly string[] = []): string | null {
    const known = knownDistributions(module);
    const { environment } = this;
    const installed = known.find((name) => environment.distribution(name) !== null);
    const first = installed ?? known[0] ?? environment.providersOf(module)[0]?.name;
    if (first !== undefined) return first;
    const namespace = namespaceOf(module);
    const own = (namespace === null ? module.split('.', 1)[0]! : module).replaceAll(
      /(?<=[^\W_])[._](?=[^\W_])/gu,
      '-',
    );
    return (namespace !== null && namespace !== module) || this.#isKnown(own, declared) ? own : null;
  }

  #isKnown(distribution: string, declared: readonly string[]): boolean {
    const name = normalizeName(distribution);
    const required = [...(this.ofProject() ?? []), ...declared].map((text) => this.#parse(text)?.name);
    return (
      KNOWN_DISTRIBUTIONS.has(name) ||
      required.includes(name) ||
      this.environment.distribution(name) !== null ||
      this.#declared!.unread.has(name) ||
      [...this.#lock()].flat(2).includes(name)
    );
  }

  /**
   * Whether requirements provide a dotted module, by themselves or by what they require. In doubt they do: one that
   * cannot be read, a namespace of many distributions, and extras and markers that cannot be told.
   */
  provides(requirements: readonly string[], module: string): boolean {
    const roots: Requirement[] = [];
    for (const text of requirements) {
      const root = this.#parse(text);
      if (!root) return true;
      if (mayApply(root.marker, NO_EXTRAS)) roots.push(root);
    }
    const names = new Set(roots.map(({ name }) => name));
    const candidates = [...knownDistributions(module).map(normalizeName), ...likelyDistributions(module)];
    const namespace = namespaceOf(module);
    const isGiven = (given: ReadonlySet<string>) =>
      candidates.some((name) => given.has(name)) ||
      (namespace !== null && [...given].some((name) => name.startsWith(`${normalizeName(namespace)}-`)));
    if (isGiven(names)) return true;
    candidates.push(...this.environment.providersOf(module).map(({ normalized }) => normalized));
    return isGiven(names) || isGiven(this.#closure(roots));
  }

  /** Those of some requirements of which nobody tells what they require in turn: they may provide more. */
  untold(requirements: readonly string[]): readonly string[] {
    const names = requirements.flatMap((text) => {
      const root = this.#parse(text);
      if (!root || root.name === SDK_DISTRIBUTION || !mayApply(root.marker, NO_EXTRAS)) return [];
      return this.#requiredBy(root.name, NO_EXTRAS) === null ? [root.name] : [];
    });
    return [...new Set(names)];
  }

  /** What of pyproject.toml asks, or may ask, for a distribution in vain, since no build reads it. */
  unreadPlaceOf(distribution: string): string | null {
    this.ofProject();
    const heading = this.#declared?.unread.get(normalizeName(distribution));
    return heading ?? (this.#declared?.isDynamic ? "the project's dynamic dependencies" : null);
  }

  /** A dotted module as far as one distribution gives it: all of it in a namespace of many, else its first part. */
  shortNameOf(module: string): string {
    const first = module.split('.', 1)[0]!;
    const isShared = namespaceOf(module) !== null || this.environment.providersOf(first).length > 1;
    return isShared ? module : first;
  }

  #parse(text: string): Requirement | null {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    // Each keystroke in a list of dependencies makes a text that nobody asks for again.
    if (this.#parsed.size > KEPT) this.#parsed.clear();
    const parsed = parseRequirement(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }

  /** The distributions that requirements bring with them, themselves included. */
  #closure(roots: readonly Requirement[]): ReadonlySet<string> {
    const met = new Map<string, Set<string>>();
    const waiting = [...roots];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const known = met.get(one.name);
      const extras = new Set([...(known ?? []), ...one.extras]);
      if (known?.size === extras.size) continue;
      met.set(one.name, extras);
      // It ships with every worker, without what it requires.
      if (one.name !== SDK_DISTRIBUTION) waiting.push(...(this.#requiredBy(one.name, extras) ?? []));
    }
    return new Set(met.keys());
  }

  /** Null where nobody tells. */
  #requiredBy(name: string, extras: ReadonlySet<string>): Requirement[] | null {
    const installed = this.environment.distribution(name)?.requires ?? null;
    const told = [this.#lock().get(name), KNOWN_REQUIREMENTS.get(name)];
    if (installed === null && told.every((needed) => needed === undefined)) return null;
    return [
      ...(installed ?? []).filter(({ marker }) => mayApply(marker, extras)),
      ...told.flatMap((needed) => needed ?? []).map((needed) => ({ name: needed, extras: [], marker: '' })),
    ];
  }

  #lock(): LockedRequirements {
    const file = path.join(this.#search.root, PROJECT_FILES.lock);
    const stamp = stampOf(file);
    if (this.#locked?.stamp !== stamp) this.#locked = { stamp, found: lockedRequirements(file) };
    return this.#locked.found;
  }
}
