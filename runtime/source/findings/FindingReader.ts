/**
 * A project's index → the findings of each file. The findings of a file are computed again only when
 * something that they depend on has changed.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { modulesThatHide } from '../declarations/modulesThatHide.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { type QuotaExcess, quotaExcess } from '../declarations/quotaShares.ts';
import { reachableFiles } from '../declarations/reachableFiles.ts';
import { type SharedDevPath, sharedDevPaths } from '../declarations/sharedDevPaths.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import type { FaultyLine } from '../environment/requirementsFile.ts';
import { KeptResults } from '../snapshot/KeptResults.ts';
import { byPlace, type SnapshotInputs } from '../snapshot/Snapshot.ts';
import { runSteps, type Steps } from '../steps.ts';
import * as allFindings from './allFindings.ts';
import { FileIndex, type FileQuestions } from './FileIndex.ts';
import { diagnosticOf, type Finding, type FindingContext } from './Finding.ts';
import { silence } from './silence.ts';
import { syntaxError } from './syntax-error.ts';

type Questions = Omit<FileQuestions, 'facts'> & { facts(file: string): FileFacts | null | undefined };

/** What all findings depend on; the same object as long as nothing in it changes. */
interface Context extends FindingContext {
  modules: ProjectIndex['project']['modules'];
  classNames: ProjectIndex['project']['classNames'];
  ignores: SnapshotInputs['ignores'];
}

const FINDINGS: readonly Finding[] = Object.values(allFindings);
const NONE: readonly never[] = [];

export class FindingReader {
  readonly #files: ProjectFiles;
  readonly #kept: KeptResults<Questions, Context, readonly Diagnostic[]>;
  #context: Context | null = null;
  #excess: QuotaExcess | null = null;
  #sharedDevPaths: ReadonlyMap<string, readonly SharedDevPath[]> = new Map();
  /** Lines of files of requirements that a build refuses, by file. */
  #faultyLines: ReadonlyMap<string, readonly FaultyLine[]> = new Map();
  #missing: ReadonlySet<string> = new Set();
  /** Files that workers may run; null until a finding asks for it. */
  #reached: ReadonlySet<string> | null = null;
  #asksForReached = false;

  constructor(files: ProjectFiles) {
    this.#files = files;
    this.#kept = new KeptResults(files);
  }

  /** Computes the findings of all files. */
  *read(index: ProjectIndex, inputs: SnapshotInputs): Steps<Map<string, readonly Diagnostic[]>> {
    const context = this.#contextOf(index, inputs);
    const excess = quotaExcess(index.declarations, context.quota);
    if (!isDeepStrictEqual(excess, this.#excess)) this.#excess = excess;
    const shared = sharedDevPaths(index.declarations);
    if (!isDeepStrictEqual(shared, this.#sharedDevPaths)) this.#sharedDevPaths = shared;
    const declares = index.declarations.length > 0;
    const faulty = declares ? faultyLines(inputs) : new Map<string, FaultyLine[]>();
    if (!isDeepStrictEqual(faulty, this.#faultyLines)) this.#faultyLines = faulty;
    this.#missing = new Set(declares ? this.#files.lacking() : []);
    yield;
    const isReachedKnown = this.#asksForReached;
    this.#reached = isReachedKnown ? yield* reachableFiles(index, this.#files) : null;
    const whole = new Set([
      ...index.files.map(({ file }) => file),
      ...index.declarations.flatMap(({ file, routes }) => [file, ...routes.map((route) => route.file)]),
      ...this.#missing,
      ...this.#files.unreadable(),
      ...(declares ? modulesThatHide(context.modules).keys() : []),
      ...this.#faultyLines.keys(),
      ...(index.misplacedTables.length > 0 ? [PROJECT_FILES.pyproject] : []),
    ]);
    const files = new Set([...whole, ...this.#files.mentioning()]);
    yield;
    const findings = new Map<string, readonly Diagnostic[]>();
    for (const file of [...files].sort()) {
      const found = whole.has(file) ? yield* this.#found(file, index, context) : yield* this.#faultOf(file);
      if (found.length > 0) findings.set(file, found);
      yield;
    }
    this.#kept.keepOnly(whole);
    return findings;
  }

  /** Computes the current findings of one file, without yielding. */
  readNow(file: string, index: ProjectIndex, inputs: SnapshotInputs): readonly Diagnostic[] {
    const isPart = index.ofFile(file) !== null || index.touching(file).length > 0 || this.#kept.has(file);
    const steps = isPart ? this.#found(file, index, this.#contextOf(index, inputs)) : this.#faultOf(file);
    return runSteps(steps);
  }

  *#found(file: string, index: ProjectIndex, context: Context): Steps<readonly Diagnostic[]> {
    const questions = this.#questions(index);
    for (;;) {
      const found = yield* this.#kept.of(file, context, questions, (ask) => findingsIn(file, ask, context));
      if (this.#reached || !this.#asksForReached) return found;
      this.#reached = yield* reachableFiles(index, this.#files);
    }
  }

  /** The syntax error, if any, of a file that contains the words of a declaration but declares nothing. */
  *#faultOf(file: string): Steps<readonly Diagnostic[]> {
    const fault = this.#files.mentions(file) ? yield* this.#files.faultOf(file) : null;
    if (!fault) return NONE;
    const ignores = (yield* this.#files.facts(file))?.ignores ?? [];
    return silence([diagnosticOf(syntaxError, { file, ...fault })], ignores);
  }

  #questions(index: ProjectIndex): Questions {
    return {
      facts: (file) => (file.endsWith('.py') ? (index.ofFile(file)?.facts ?? this.#files.known(file)) : null),
      declared: (file) => index.ofFile(file),
      touching: (file) => index.touching(file),
      named: (name) => index.named(name),
      bodiesIn: (file) => index.bodiesIn(file),
      bodies: () => [...index.touched].flatMap((file) => index.bodiesIn(file)),
      excess: () => this.#excess,
      sharedDevPaths: (file) => this.#sharedDevPaths.get(file) ?? NONE,
      mentions: (file) => this.#files.mentions(file),
      mayMiss: (file) => this.#missing.has(file),
      isReached: (file) => {
        this.#asksForReached = true;
        return this.#reached?.has(file) ?? false;
      },
      misplaced: (file) => (file === PROJECT_FILES.pyproject ? index.misplacedTables : NONE),
      faultyLines: (file) => this.#faultyLines.get(file) ?? NONE,
      unreadable: (file) => this.#files.unreadableAt(file),
    };
  }

  #contextOf({ project: { modules, classNames } }: ProjectIndex, inputs: SnapshotInputs): Context {
    const { config, dependencies, ignores } = inputs;
    const { quota, python } = config;
    const { withheld } = this.#files;
    const now = { quota, python, dependencies, withheld, modules, classNames, ignores };
    const before = this.#context;
    const isSame = before && (Object.keys(now) as (keyof Context)[]).every((key) => now[key] === before[key]);
    if (!isSame) this.#context = now;
    return this.#context!;
  }
}

/** The lines of the project's files of requirements that a build refuses. A build also reports those outside the root. */
function faultyLines({ dependencies, projectFaults }: SnapshotInputs): Map<string, FaultyLine[]> {
  const all = [...dependencies.faultyLines, ...projectFaults];
  return Map.groupBy(
    all.filter(({ file }) => !file.startsWith('../') && !path.isAbsolute(file)),
    ({ file }) => file,
  );
}

/** A declaration can lead to findings in other files; those are computed together with their own file. */
function* findingsIn(file: string, ask: FileQuestions, context: Context): Steps<readonly Diagnostic[]> {
  const index = new FileIndex(file, ask, context);
  // A function with two routes, or a route of instances in two branches, is reported once.
  const found = new Map<string, Diagnostic>();
  for (const finding of FINDINGS) {
    for (const text of finding.find(index, context)) {
      const { start } = text.range;
      const key = `${finding.code} ${start.line}:${start.character} ${text.message}`;
      if (text.file === file && !found.has(key)) found.set(key, diagnosticOf(finding, text));
    }
    yield;
  }
  if (found.size === 0) return NONE;
  const ignores = file === PROJECT_FILES.pyproject ? context.ignores : (ask.facts(file)?.ignores ?? []);
  return silence([...found.values()], ignores).sort(byPlace);
}
