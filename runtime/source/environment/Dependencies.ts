/**
 * A project's files and the packages of its Python environment → which distribution provides a module, and
 * whether given requirements provide it. Each part is read once, on first use; `refreshed` reads the disk
 * again.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PROJECT_FILES, SDK_DISTRIBUTION } from '../../contract/names.ts';
import { type DeclaredRequirements, declaredRequirements } from './declaredRequirements.ts';
import { normalizeName } from './distributionName.ts';
import { Environment } from './Environment.ts';
import type { InterpreterSearch } from './interpreterFolders.ts';
import { knownDistributions, likelyDistributions, namespaceOf } from './knownModules.ts';
import { KNOWN_DISTRIBUTIONS, KNOWN_REQUIREMENTS } from './knownRequirements.ts';
import { type LockedRequirements, lockedRequirements } from './lockedRequirements.ts';
import { mayApply, parseRequirement, type Requirement } from './parseRequirement.ts';
import type { FaultyLine } from './requirementsFile.ts';

const NO_EXTRAS: ReadonlySet<string> = new Set();

/** Maximum number of parsed requirements, and of lists of requirements, that are cached. */
const KEPT = 1_000;

interface Closure {
  names: ReadonlySet<string>;
  /** Whether the requirements of an extra are unknown. */
  isOpen: boolean;
}

/** The distributions that some requirements provide. */
interface Given {
  /** The distributions that the requirements name; null when one cannot be parsed. */
  roots: readonly Requirement[] | null;
  names: ReadonlySet<string>;
  /**
   * The named distributions and all known distributions that they require in turn; null until it is needed.
   */
  closure: Closure | null;
}

export class Dependencies {
  readonly #search: InterpreterSearch;
  readonly #pyproject: string | null;
  readonly #parsed = new Map<string, Requirement | null>();
  readonly #given = new Map<string, Given>();
  #environment: Environment | null = null;
  #declared: DeclaredRequirements | null = null;
  #locked: LockedRequirements | null = null;

  /**
   * @param search - The project's root, and where to look for its Python.
   * @param pyproject - The text of pyproject.toml that is open in an editor; null to read the file.
   */
  constructor(search: InterpreterSearch, pyproject: string | null = null) {
    this.#search = search;
    this.#pyproject = pyproject;
  }

  /**
   * Dependencies with the current files and packages; the same object when nothing that was read has changed.
   */
  refreshed(pyproject: string | null = null): Dependencies {
    const next = new Dependencies(this.#search, pyproject);
    next.#environment = this.#environment?.refreshed(this.#search) ?? null;
    next.#declared = this.#declared && declaredRequirements(this.#search, pyproject);
    next.#locked = this.#locked && lockedRequirements(this.#lockFile);
    const isSame =
      next.#environment === this.#environment &&
      isDeepStrictEqual(next.#declared, this.#declared) &&
      isDeepStrictEqual(next.#locked, this.#locked) &&
      (pyproject === this.#pyproject || this.#declared !== null);
    return isSame ? this : next;
  }

  /** The packages of the project's Python environment. */
  get environment(): Environment {
    this.#environment ??= Environment.find(this.#search);
    return this.#environment;
  }

  /** The requirements in requirements.txt and pyproject.toml, as written; null when they cannot all be listed. */
  ofProject(): readonly string[] | null {
    const { isOpen, texts } = this.#ofFiles();
    return isOpen ? null : texts;
  }

  /** The lines of requirements.txt and of the files that it includes that a build refuses. */
  get faultyLines(): readonly FaultyLine[] {
    return this.#ofFiles().faults;
  }

  /**
   * The distribution that provides a dotted module, for a suggestion to add it to dependencies; null when
   * none is known.
   *
   * @param declared - Requirements of the project's endpoints, whose distributions count as known.
   */
  distributionOf(module: string, declared: () => readonly string[] = () => []): string | null {
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

  #isKnown(distribution: string, declared: () => readonly string[]): boolean {
    const name = normalizeName(distribution);
    const isRequired = (texts: readonly string[]) => texts.some((text) => this.#parse(text)?.name === name);
    return (
      KNOWN_DISTRIBUTIONS.has(name) ||
      this.environment.distribution(name) !== null ||
      isRequired(this.ofProject() ?? []) ||
      this.#ofFiles().unread.has(name) ||
      [...this.#lock()].flat(2).includes(name) ||
      isRequired(declared())
    );
  }

  /**
   * Whether requirements provide a dotted module, directly or through their own requirements. When in doubt,
   * the answer is yes: when a requirement cannot be parsed, for a namespace that many distributions share,
   * for markers that cannot be evaluated, and for an extra of a package that neither the environment nor a
   * table describes.
   */
  provides(requirements: readonly string[], module: string): boolean {
    const given = this.#givenBy(requirements);
    if (!given.roots) return true;
    const candidates = [...knownDistributions(module).map(normalizeName), ...likelyDistributions(module)];
    const namespace = namespaceOf(module);
    const isAmong = (names: ReadonlySet<string>) =>
      candidates.some((name) => names.has(name)) ||
      (namespace !== null && [...names].some((name) => name.startsWith(`${normalizeName(namespace)}-`)));
    if (isAmong(given.names)) return true;
    candidates.push(...this.environment.providersOf(module).map(({ normalized }) => normalized));
    if (isAmong(given.names)) return true;
    given.closure ??= this.#closure(given.roots);
    return given.closure.isOpen || isAmong(given.closure.names);
  }

  /**
   * The distributions in some requirements whose own requirements are not known, so that they may provide
   * more modules.
   */
  undescribed(requirements: readonly string[]): readonly string[] {
    const names = requirements.flatMap((text) => {
      const root = this.#parse(text);
      if (!root || root.name === SDK_DISTRIBUTION || !mayApply(root.marker, NO_EXTRAS)) return [];
      return this.#requiredBy(root.name, NO_EXTRAS) === null ? [root.name] : [];
    });
    return [...new Set(names)];
  }

  /**
   * The part of pyproject.toml that requires, or may require, a distribution but is not read by builds; null
   * when there is none.
   */
  unreadPlaceOf(distribution: string): string | null {
    const { unread, isDynamic } = this.#ofFiles();
    const heading = unread.get(normalizeName(distribution));
    return heading ?? (isDynamic ? "the project's dynamic dependencies" : null);
  }

  /**
   * The part of a dotted module that identifies its distribution: the whole name in a shared namespace,
   * otherwise the first part.
   */
  shortNameOf(module: string): string {
    const first = module.split('.', 1)[0]!;
    const isShared = namespaceOf(module) !== null || this.environment.providersOf(first).length > 1;
    return isShared ? module : first;
  }

  #ofFiles(): DeclaredRequirements {
    this.#declared ??= declaredRequirements(this.#search, this.#pyproject);
    return this.#declared;
  }

  #givenBy(requirements: readonly string[]): Given {
    const key = requirements.join('\n');
    const known = this.#given.get(key);
    if (known) return known;
    const parsed = requirements.map((text) => this.#parse(text));
    const readable = parsed.filter((one) => one !== null);
    const roots = readable.filter(({ marker }) => mayApply(marker, NO_EXTRAS));
    const given: Given = {
      roots: readable.length < parsed.length ? null : roots,
      names: new Set(roots.map(({ name }) => name)),
      closure: null,
    };
    if (this.#given.size > KEPT) this.#given.clear();
    this.#given.set(key, given);
    return given;
  }

  #parse(text: string): Requirement | null {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    // Each keystroke in a list of dependencies creates a text that is never asked for again.
    if (this.#parsed.size > KEPT) this.#parsed.clear();
    const parsed = parseRequirement(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }

  /** The distributions that requirements install, directly or through their own requirements. */
  #closure(roots: readonly Requirement[]): Closure {
    const met = new Map<string, Set<string>>();
    let isOpen = false;
    const waiting = [...roots];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const known = met.get(one.name);
      const extras = new Set([...(known ?? []), ...one.extras]);
      if (known?.size === extras.size) continue;
      met.set(one.name, extras);
      // Every worker has the SDK, but not the requirements of its distribution.
      if (one.name === SDK_DISTRIBUTION) continue;
      isOpen ||= one.extras.some((extra) => !this.#describes(one.name, extra));
      waiting.push(...(this.#requiredBy(one.name, extras) ?? []));
    }
    return { names: new Set(met.keys()), isOpen };
  }

  /** Whether the requirements of an extra of a distribution are known. */
  #describes(name: string, extra: string): boolean {
    return this.environment.distribution(name) !== null || KNOWN_REQUIREMENTS.has(`${name}[${extra}]`);
  }

  /** The requirements of a distribution; null when they are not known. */
  #requiredBy(name: string, extras: ReadonlySet<string>): Requirement[] | null {
    const installed = this.environment.distribution(name)?.requires ?? null;
    const listed = [
      this.#lock().get(name),
      KNOWN_REQUIREMENTS.get(name),
      ...[...extras].map((extra) => KNOWN_REQUIREMENTS.get(`${name}[${extra}]`)),
    ];
    if (installed === null && listed.every((needed) => needed === undefined)) return null;
    return [
      ...(installed ?? []).filter(({ marker }) => mayApply(marker, extras)),
      ...listed.flatMap((needed) => needed ?? []).map((needed) => ({ name: needed, extras: [], marker: '' })),
    ];
  }

  #lock(): LockedRequirements {
    this.#locked ??= lockedRequirements(this.#lockFile);
    return this.#locked;
  }

  get #lockFile(): string {
    return path.join(this.#search.root, PROJECT_FILES.lock);
  }
}
