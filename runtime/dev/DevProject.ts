/** A project's files, read at every save → the wanted state of its endpoints, and the parts that workers unpack. */
import type { ArtifactPart } from '../build/buildProject.ts';
import { type LiveBuild, LiveBuilder } from '../build/LiveBuilder.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ToolkitError } from '../contract/errors.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { fillSecrets } from '../deploy/secrets.ts';
import { readSettings } from '../deploy/settings.ts';
import { FindingReader } from '../source/findings/FindingReader.ts';
import type { ProjectReading } from '../source/reading.ts';
import { LiveProject } from '../source/snapshot/LiveProject.ts';
import type { ProjectView } from '../source/snapshot/ProjectView.ts';
import { finishSteps } from '../source/steps.ts';
import type { SyntaxFault } from '../source/syntax/findFault.ts';
import { loadWasmParser } from '../source/syntax/wasmParser.ts';
import { type DeclarationsByName, endpointFaults } from './endpointFaults.ts';
import type { Versions } from './LiveEndpoints.ts';
import { UnreadCode } from './UnreadCode.ts';

/** Files that configure how the project is read: when one changes, all of them are read again. */
const CONFIGURATION: ReadonlySet<string> = new Set([
  PROJECT_FILES.pyproject,
  PROJECT_FILES.requirements,
  PROJECT_FILES.lock,
  PROJECT_FILES.pythonVersion,
]);

/** Limit, so that a program that keeps writing project files cannot block dev. */
const MOST_REREADS = 5;

interface DevProjectOptions {
  root: string;
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  /** An existing folder in which the parts are built. */
  workDir: string;
  report: ReportProgress;
  signal: AbortSignal;
}

/** The state of the project after a save. */
export interface DevReading extends Versions {
  /** The declared endpoints, including the last good ones of files that currently cannot be read. */
  endpoints: readonly Endpoint[];
}

export class DevProject {
  readonly #options: DevProjectOptions;
  readonly #project: LiveProject;
  readonly #builder: LiveBuilder;
  readonly #unread: UnreadCode;
  /** The last good declarations by endpoint name, as of the last complete reading. */
  #kept: DeclarationsByName = new Map();
  readonly #faulty = new Map<string, SyntaxFault>();

  private constructor(
    options: DevProjectOptions,
    { project, builder, unread }: { project: LiveProject; builder: LiveBuilder; unread: UnreadCode },
  ) {
    this.#options = options;
    this.#project = project;
    this.#builder = builder;
    this.#unread = unread;
  }

  /**
   * Reads the project for the first time. `read` builds it.
   *
   * @throws ToolkitError PROJECT_CONFIG if pyproject.toml is invalid.
   */
  static async open(options: DevProjectOptions): Promise<DevProject> {
    const { root, toolkitHome, env, workDir } = options;
    const parser = await loadWasmParser();
    const onCrash = (file: string, error: unknown) =>
      options.report({ type: 'warning', message: `The toolkit failed on ${file}: ${String(error)}` });
    const unread = new UnreadCode(root);
    const project = new LiveProject({ root, parser, findings: FindingReader, onCrash });
    await project.configure();
    if (project.configFault) throw project.configFault;
    await finishSteps(project.read());
    await finishSteps(project.update());
    const builder = await LiveBuilder.open(root, workDir, { toolkitHome, env, exclude: [], upgrade: false });
    return new DevProject(options, { project, builder, unread });
  }

  /** The folder with the built parts. */
  get parts(): string {
    return this.#builder.folder;
  }

  /** Removes the parts. */
  async close(): Promise<void> {
    await this.#builder.close();
  }

  /** The names of the currently declared endpoints. */
  get declared(): string[] {
    return this.#project.reading().endpoints.flatMap(({ name }) => name ?? []);
  }

  /**
   * Reads what has changed, and builds. Must not be called while another call runs.
   *
   * @param places - Files and folders that were created, changed or removed, relative to the root, with `/`.
   * @param inUse - Parts of earlier builds that are still needed. The others are removed.
   * @param overtaken - Aborted when newer saves are waiting. The reading then does not wait for packages, and the next
   *   call includes what this one has read.
   * @throws The reason of `overtaken`.
   */
  async read(
    places: readonly string[],
    inUse: ReadonlySet<ArtifactPart>,
    overtaken: AbortSignal,
  ): Promise<DevReading> {
    await this.#builder.prune(inUse);
    let reading = await this.#read(places, overtaken);
    for (let rereads = 0; rereads < MOST_REREADS; rereads += 1) {
      const unread = this.#unread.among(this.#builder.code);
      if (unread.length === 0) break;
      reading = await this.#read(unread, overtaken);
    }
    // Only now: the first of several readings can see a file while it is empty, and would lose what it declares.
    this.#kept = Map.groupBy(reading.endpoints, ({ name }) => name!);
    return reading;
  }

  /** Whether a file ships and is not code. It is unknown which endpoints read it, so it counts for all of them. */
  isData(file: string): boolean {
    return !file.endsWith('.py') && this.#builder.ships(file);
  }

  /** A view of the current code. */
  view(): ProjectView {
    return this.#project.view();
  }

  async #read(places: readonly string[], overtaken: AbortSignal): Promise<DevReading> {
    const project = this.#project;
    await this.#unread.reading(places);
    if (places.some((place) => CONFIGURATION.has(place))) await project.configure();
    await finishSteps(project.refresh(places));
    await finishSteps(project.update());
    const reading = project.reading();
    const { configFault } = project;
    await this.#readFaults(places);
    const { endpoints: declared, faults } = await endpointFaults(reading, this.#kept, this.#faulty);
    if (configFault) for (const name of declared.keys()) faults.set(name, configFault);
    const endpoints = [...declared.values()].flat();
    const secrets = this.#secrets(endpoints, faults);
    const { app, parts } = await this.#build({ ...reading, endpoints }, faults, overtaken);
    return { endpoints, app: app.filter(({ name }) => !faults.has(name)), parts, secrets, faults };
  }

  /** Looks for syntax errors in the saved files, and again in the files that had one. */
  async #readFaults(places: readonly string[]): Promise<void> {
    for (const file of new Set([...this.#faulty.keys(), ...places])) {
      const fault = file.endsWith('.py') ? await this.#project.syntaxFault(file) : null;
      if (fault) this.#faulty.set(file, fault);
      else this.#faulty.delete(file);
    }
  }

  /** Builds the endpoints without a fault. If the build fails, its error becomes the fault of every endpoint. */
  async #build(
    reading: ProjectReading,
    faults: Map<string, ToolkitError>,
    overtaken: AbortSignal,
  ): Promise<LiveBuild> {
    const { report, signal } = this.#options;
    // Without a valid pyproject.toml it is unknown what endpoints require.
    if (this.#project.configFault) return { app: [], parts: [] };
    const named = reading.endpoints.filter(({ dynamic }) => dynamic.length === 0);
    try {
      const skipped = new Set(faults.keys());
      const run = { report, signal, skipped, overtaken };
      return await this.#builder.build({ ...reading, endpoints: named }, run);
    } catch (error) {
      if (!(error instanceof ToolkitError) || signal.aborted) throw error;
      for (const { name } of named) if (!faults.has(name!)) faults.set(name!, error);
      return { app: [], parts: [] };
    }
  }

  /** Values that declarations read from the environment. A missing one is a fault of its endpoint. */
  #secrets(endpoints: readonly Endpoint[], faults: Map<string, ToolkitError>): Versions['secrets'] {
    const settings = readSettings(this.#options.root, this.#options.env);
    const filled: Versions['secrets'] = {};
    for (const endpoint of endpoints) {
      if (endpoint.name === null) continue;
      try {
        Object.assign(filled, fillSecrets([endpoint], settings));
      } catch (error) {
        if (!(error instanceof ToolkitError)) throw error;
        if (!faults.has(endpoint.name)) faults.set(endpoint.name, error);
      }
    }
    return filled;
  }
}
