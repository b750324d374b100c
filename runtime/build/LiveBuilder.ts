/**
 * One project, built again after each save. Dependencies are installed only when the requirements or the lock change. A code
 * part contains only the files that differ from the last complete part: workers already have that one and apply the changes to
 * it.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AppSpec } from '../contract/appSpec.ts';
import { ARTIFACT_PATHS, PARTS_PREFIX, PROJECT_FILES } from '../contract/names.ts';
import { fileStamp } from '../source/fileStamp.ts';
import type { ProjectReading, TargetPython } from '../source/reading.ts';
import { PartWriter } from './archive/partWriter.ts';
import type { ArtifactPart } from './buildProject.ts';
import { FileHashes } from './code/fileHashes.ts';
import { type CodeContents, packCode } from './code/packCode.ts';
import { findPython, type Interpreter } from './dependencies/interpreter.ts';
import type { DependencyPart } from './dependencyPart.ts';
import { LiveDependencies } from './LiveDependencies.ts';
import { gather, type PrepareOptions, prepareCode } from './prepareBuild.ts';

/** A part with changes that is larger than this many bytes is replaced by a complete part. */
const LARGEST_CHANGE = 1_000_000;

/** The options that all builds of the project share. */
export type LiveBuildOptions = Omit<
  PrepareOptions,
  'reading' | 'report' | 'signal' | 'skipped' | 'skippedCallers'
>;

/** The endpoints as of this build, and the parts that their workers unpack. */
export interface LiveBuild {
  app: AppSpec;
  parts: ArtifactPart[];
}

/** A complete code part and its contents. */
interface Base {
  part: ArtifactPart;
  /** File of the project → its stamp. */
  stamps: ReadonlyMap<string, string>;
  generated: ReadonlyMap<string, Uint8Array>;
}

export class LiveBuilder {
  readonly #options: LiveBuildOptions;
  readonly #folder: string;
  readonly #hashes: FileHashes;
  #stamps: ReadonlyMap<string, string> = new Map();
  readonly #dependencies = new LiveDependencies();
  #interpreter: { target: TargetPython; found: Interpreter } | null = null;
  /** Names of the endpoints that called others in the last build. */
  #callers: readonly string[] = [];
  #base: Base | null = null;
  /** The code parts on disk. */
  readonly #parts = new Set<ArtifactPart>();
  #count = 0;

  private constructor(options: LiveBuildOptions, folder: string, hashes: FileHashes) {
    this.#options = options;
    this.#folder = folder;
    this.#hashes = hashes;
  }

  /** @param within - An existing folder for the parts. */
  static async open(root: string, within: string, options: LiveBuildOptions): Promise<LiveBuilder> {
    const folder = await mkdtemp(path.join(within, PARTS_PREFIX));
    return new LiveBuilder(options, folder, new FileHashes(root, new AbortController().signal));
  }

  /** The folder of the parts. */
  get folder(): string {
    return this.#folder;
  }

  /** Removes the parts. */
  async close(): Promise<void> {
    await this.#dependencies.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Builds the endpoints of a reading. Builds must not overlap. The parts stay until `prune`.
   *
   * @param run - `overtaken`: aborted when a newer build is waiting. This build then stops waiting for its packages.
   * @throws ToolkitError for everything that a user can fix; the reason of `overtaken`.
   */
  async build(
    reading: ProjectReading,
    run: Pick<PrepareOptions, 'report' | 'signal' | 'skipped'> & { overtaken: AbortSignal },
  ): Promise<LiveBuild> {
    const { signal, overtaken } = run;
    const skippedCallers = this.#callers.filter((name) => run.skipped?.has(name));
    const options = { ...this.#options, reading, ...run, skippedCallers };
    const artifact = path.join(reading.root, PROJECT_FILES.artifact);
    const gathered = await gather(options, this.#folder, artifact, {
      install: (...given) => this.#dependencies.install(overtaken, ...given),
      interpreter: (wanted) => this.#findPython(wanted),
    });
    this.#callers = gathered.callers;
    const stamps = this.#stamp(reading.root, gathered.shipped);
    const { app, code } = await prepareCode(gathered, this.#hashes, signal);
    const parts = await this.#codeParts(code, stamps, signal);
    return { app, parts: [...gathered.sets.flatMap(({ part }) => (part ? [asPart(part)] : [])), ...parts] };
  }

  /** Removes the parts that are neither in use nor needed by the next build. */
  async prune(inUse: ReadonlySet<ArtifactPart>): Promise<void> {
    for (const part of this.#parts) {
      if (part === this.#base?.part || inUse.has(part)) continue;
      await rm(part.file, { force: true });
      this.#parts.delete(part);
    }
  }

  /** The Python files in the newest build. */
  get code(): string[] {
    return [...this.#stamps.keys()].filter((file) => file.endsWith('.py'));
  }

  /** Whether the newest build contains this file of the project. */
  ships(file: string): boolean {
    return this.#stamps.has(file);
  }

  /** Finds Python once per target: a script that is not in a shims folder is run each time, which takes longer than a build. */
  async #findPython(wanted: Parameters<typeof findPython>[0]): Promise<Interpreter> {
    const { target } = wanted;
    if (!isDeepStrictEqual(this.#interpreter?.target, target))
      this.#interpreter = { target, found: await findPython(wanted) };
    return this.#interpreter!.found;
  }

  /** Stamps the files, and forgets the hashes of those that have changed. */
  #stamp(root: string, files: readonly string[]): ReadonlyMap<string, string> {
    const stamps = new Map(files.map((file) => [file, fileStamp(path.join(root, file))]));
    for (const [file, stamp] of stamps) if (this.#stamps.get(file) !== stamp) this.#hashes.forget(file);
    this.#stamps = stamps;
    return stamps;
  }

  async #codeParts(
    code: CodeContents,
    stamps: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<ArtifactPart[]> {
    const base = this.#base;
    const change = base && changeOf(base, code, stamps);
    if (base && change) {
      if (change.shipped.length + change.generated.size === 0) return [base.part];
      const part = await this.#pack(change, signal);
      if (part.size <= LARGEST_CHANGE) return [base.part, part];
    }
    const part = await this.#pack(code, signal);
    this.#base = { part, stamps, generated: code.generated };
    return [part];
  }

  async #pack(code: CodeContents, signal: AbortSignal): Promise<ArtifactPart> {
    const file = path.join(this.#folder, `code-${++this.#count}.tar.gz`);
    const handle = open(file, 'w');
    const digest = createHash('sha256');
    const out = new PartWriter(handle, 0, signal, (chunk) => digest.update(chunk));
    try {
      const content = await packCode(code, out, signal);
      await out.finish();
      const sha256 = digest.digest('hex');
      const size = out.bytes;
      const part: ArtifactPart = {
        role: 'code',
        content,
        sha256,
        size,
        dependencySet: null,
        file,
        offset: 0,
      };
      this.#parts.add(part);
      return part;
    } finally {
      await (await handle).close();
    }
  }
}

/** The contents that differ from a whole part, with a list of the files that were removed. */
function changeOf(base: Base, code: CodeContents, stamps: ReadonlyMap<string, string>): CodeContents {
  const shipped = code.shipped.filter((file) => base.stamps.get(file) !== stamps.get(file));
  const generated = new Map(
    [...code.generated].filter(([name, bytes]) => {
      const before = base.generated.get(name);
      return before === undefined || Buffer.compare(before, bytes) !== 0;
    }),
  );
  const removed = [...base.stamps.keys(), ...base.generated.keys()]
    .filter((name) => !stamps.has(name) && !code.generated.has(name))
    .sort();
  if (removed.length > 0) generated.set(ARTIFACT_PATHS.removed, Buffer.from(JSON.stringify(removed)));
  return { root: code.root, shipped, generated };
}

function asPart({ set, content, sha256, bytes, file }: DependencyPart): ArtifactPart {
  return { role: 'dependencies', content, sha256, size: bytes, dependencySet: set, file, offset: 0 };
}
