/** Declarations → everything that goes into an artifact: generated files, dependency sets, fingerprints, manifest. */
import path from 'node:path';
import type { AppSpec } from '../contract/appSpec.ts';
import { encodeManifest } from '../contract/manifest.ts';
import { ARTIFACT_PATHS, PROJECT_FILES } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { isWithheld } from '../source/discovery/ignoreRules.ts';
import { readPyproject } from '../source/projectConfig.ts';
import type { ProjectReading } from '../source/reading.ts';
import { ArtifactLimit } from './artifactLimit.ts';
import { endpointSpec } from './code/endpointSpec.ts';
import { FileHashes } from './code/fileHashes.ts';
import { CodeFingerprints } from './code/fingerprint.ts';
import { type GeneratedEndpoint, generateCode } from './code/generateCode.ts';
import { groupEndpoints } from './code/groupEndpoints.ts';
import { ownMetadata } from './code/ownMetadata.ts';
import type { CodeContents } from './code/packCode.ts';
import { readSdk, type SdkCopy } from './code/sdkCopy.ts';
import { findPython, type Interpreter } from './dependencies/interpreter.ts';
import { collectRequirements } from './dependencies/requirements.ts';
import { type DependencySet, installDependencies } from './installDependencies.ts';

/** Input and options of a build. */
export interface PrepareOptions {
  reading: ProjectReading;
  /** TOOLKIT_HOME, absolute: has the caches of wheels and parts, and uv if the toolkit installed it. */
  toolkitHome: string;
  /** The environment: PATH, TOOLKIT_PYTHON, settings of pip and uv. */
  env: NodeJS.ProcessEnv;
  /** Names of packages to exclude. */
  exclude: string[];
  /** Resolves again even if the lock still fits. */
  upgrade: boolean;
  /** Names of endpoints that are not built; others can still call them. */
  skipped?: ReadonlySet<string>;
  /** Skipped endpoints that called others when last built; the packages for such calls stay required. */
  skippedCallers?: readonly string[];
  signal: AbortSignal;
  report: ReportProgress;
}

/** The slow steps. `LiveBuilder` passes its own, which reuse earlier results. */
export interface Finders {
  install: typeof installDependencies;
  interpreter: typeof findPython;
}

/** Everything that the endpoints need, found and installed. */
export interface Gathered {
  /** Project files, relative to the root. */
  shipped: string[];
  generated: GeneratedEndpoint[];
  sets: DependencySet[];
  /** Names of endpoints that call others. */
  callers: readonly string[];
  /** Python version of the workers, such as `3.12`. */
  python: string;
  /** Has counted the packages that ship. */
  limit: ArtifactLimit;
}

/**
 * Finds what ships, generates the handlers and stubs, and installs the dependencies.
 *
 * @param workDir - A folder for temporary files.
 * @param artifact - Path of the artifact. It is never shipped itself, or it would grow with every build.
 * @throws ToolkitError for everything that a user can fix.
 */
export async function gather(
  options: PrepareOptions,
  workDir: string,
  artifact: string,
  find: Finders = { install: installDependencies, interpreter: findPython },
): Promise<Gathered> {
  const { reading } = options;
  const endpoints = groupEndpoints(reading.endpoints);
  const shipped = (await reading.shippedFiles()).filter((one) => path.join(reading.root, one) !== artifact);
  warnOfSecrets(shipped, options.report);
  const generated = await generateCode(reading, endpoints, shipped, options.skipped ?? new Set());
  const calling = generated.filter(({ closure }) => closure.callsPeers).map(({ endpoint }) => endpoint.name);
  const callers = [...calling, ...(options.skippedCallers ?? [])];
  const requirements = await collectRequirements(reading, new Set(callers), options.env);
  const { python: chosen, requiresPython } = reading.config;
  const target = { python: chosen, requiresPython };
  const interpreter = once(() => find.interpreter({ ...options, target }));
  const python = chosen ?? (await interpreter()).version;
  const lock = { ...options, root: reading.root, python, interpreter, workDir };
  const limit = new ArtifactLimit();
  const sets = await find.install(requirements, options.exclude, limit, lock);
  return { shipped, generated, sets, callers, python, limit };
}

/** Keys and other secrets ship only if `.toolkitignore` re-includes them with `!`, and always with a warning. */
function warnOfSecrets(shipped: readonly string[], report: ReportProgress): void {
  const named = shipped.filter((file) => isWithheld(file, false));
  if (named.length === 0) return;
  const message = `${PROJECT_FILES.ignore} re-includes files that are never part of the artifact by default, so it contains them: ${named.join(', ')}.`;
  report({ type: 'warning', message });
}

/** Prepares the code part up to packing: fingerprints, manifest and generated files. */
export async function prepareCode(
  made: Gathered,
  hashes: FileHashes,
  signal: AbortSignal,
): Promise<{ app: AppSpec; code: CodeContents }> {
  const sdk = readSdk();
  const fingerprints = new CodeFingerprints(hashes, made.shipped, sdk.sha256, signal);
  const app: AppSpec = [];
  for (const one of made.generated) {
    const set = made.sets.find(({ endpoints }) => endpoints.includes(one.endpoint.name));
    if (!set) throw new Error(`The endpoint "${one.endpoint.name}" has no dependency set.`);
    app.push(await specify(one, set, made.python, fingerprints));
  }
  return { app, code: codeContents(hashes.root, made.shipped, made.generated, app, made.sets, sdk) };
}

/** The endpoints that a build would give, computed without packing anything. */
export async function prepareApp(
  options: PrepareOptions,
  workDir: string,
  install: Finders['install'],
): Promise<AppSpec> {
  const { reading, signal } = options;
  const artifact = path.join(reading.root, PROJECT_FILES.artifact);
  const gathered = await gather(options, workDir, artifact, { install, interpreter: findPython });
  return (await prepareCode(gathered, new FileHashes(reading.root, signal), signal)).app;
}

async function specify(
  { endpoint, handler, ...rest }: GeneratedEndpoint,
  set: DependencySet,
  python: string,
  fingerprints: CodeFingerprints,
): Promise<AppSpec[number]> {
  const code = await fingerprints.of({ endpoint, handler, ...rest });
  return endpointSpec(endpoint, {
    python,
    handler,
    excluded: set.excluded,
    baseLayer: set.baseLayer,
    dependencySet: set.name,
    fingerprint: { code, dependencies: set.fingerprint },
  });
}

function codeContents(
  root: string,
  shipped: readonly string[],
  made: readonly GeneratedEndpoint[],
  app: AppSpec,
  sets: readonly DependencySet[],
  sdk: SdkCopy,
): CodeContents {
  const generated = new Map<string, Uint8Array>([...ownMetadata(readPyproject(root)), ...sdk.files]);
  for (const { files } of made) for (const [name, text] of files) generated.set(name, Buffer.from(text));
  generated.set(ARTIFACT_PATHS.requirements, Buffer.from(lockedText(sets)));
  generated.set(ARTIFACT_PATHS.manifest, Buffer.from(manifestText(app)));
  return { root, shipped, generated };
}

/** The locked packages. If there are several sets, each has a heading with its name and its endpoints. */
function lockedText(sets: readonly DependencySet[]): string {
  const texts = sets.map(({ name, endpoints, packages }) => {
    const heading = sets.length > 1 ? `# ${name}: ${endpoints.join(', ')}\n` : '';
    const pins = packages.map((one) => `${one.name}==${one.version}\n`).sort();
    return heading + pins.join('');
  });
  return texts.join('\n');
}

/** The text of the manifest's file. */
export function manifestText(app: AppSpec): string {
  return `${JSON.stringify(encodeManifest(app), null, 2)}\n`;
}

function once(find: () => Promise<Interpreter>): () => Promise<Interpreter> {
  let found: Promise<Interpreter> | null = null;
  return () => (found ??= find());
}
