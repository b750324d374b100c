/** Declarations → artifact: the six steps of a build, in order. Only composes; runs none of the user's code. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppSpec } from '../contract/appSpec.ts';
import type { PartRef } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { encodeManifest } from '../contract/manifest.ts';
import { ARTIFACT_PATHS, PROJECT_FILES } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { isWithheld } from '../source/discovery/ignoreRules.ts';
import type { ProjectReading } from '../source/reading.ts';
import { ArtifactLimit } from './artifactLimit.ts';
import { beginArtifact, finishArtifact } from './assembleArtifact.ts';
import { closeBuildDir, openBuildDir } from './buildDir.ts';
import { endpointSpec } from './code/endpointSpec.ts';
import { CodeFingerprints } from './code/fingerprint.ts';
import { type GeneratedEndpoint, generateCode } from './code/generateCode.ts';
import { groupEndpoints } from './code/groupEndpoints.ts';
import type { CodeContents } from './code/packCode.ts';
import { readSdk, type SdkCopy } from './code/sdkCopy.ts';
import { findPython, type Interpreter } from './dependencies/interpreter.ts';
import { collectRequirements } from './dependencies/requirements.ts';
import { asDiskError, makeFolder } from './fileErrors.ts';
import { type DependencySet, installDependencies } from './installDependencies.ts';
import { pruneCache } from './pruneCache.ts';
import { publish } from './publishOutputs.ts';
import { refuseErrors } from './refuseErrors.ts';
import { tellWarnings } from './tellWarnings.ts';

/** What to build, and how. */
export interface BuildOptions {
  reading: ProjectReading;
  /** TOOLKIT_HOME, absolute: caches of wheels and parts, and uv when it is installed for the build. */
  toolkitHome: string;
  /** The environment: PATH, TOOLKIT_PYTHON, settings of pip and uv. */
  env: NodeJS.ProcessEnv;
  /** Names of packages to leave out. */
  exclude: string[];
  /** Leaves what was generated in `.toolkit/.build/`. */
  keepBuild: boolean;
  /** Where the artifact goes; null for its usual place. */
  output: string | null;
  /** Resolves anew although the lock still fits. */
  upgrade: boolean;
  signal: AbortSignal;
  report: ReportProgress;
}

/** A part of the artifact: its bytes are `size` bytes of `file` from `offset`. */
export interface ArtifactPart extends PartRef {
  file: string;
  offset: number;
}

/** A finished build. */
export interface BuildResult {
  /** Absolute paths. */
  artifact: string;
  manifestPath: string;
  /** Of the artifact. */
  bytes: number;
  /** Of the artifact, hex. */
  sha256: string;
  app: AppSpec;
  parts: ArtifactPart[];
  /** Names of packages left out. */
  excluded: string[];
  /** Project files in the artifact, relative to the root. */
  shipped: string[];
  seconds: number;
}

/**
 * Builds a project. The last good artifact stays in its place until the new one is whole.
 *
 * @throws ToolkitError for everything a user can change, INTERRUPTED after an abort.
 */
export async function buildProject(options: BuildOptions): Promise<BuildResult> {
  const startedAt = performance.now();
  refuseErrors(options.reading);
  tellWarnings(options.reading, options.report);
  let buildDir: string | null = null;
  try {
    options.signal.throwIfAborted();
    buildDir = await openBuildDir(options.reading.root);
    const result = await build(options, buildDir);
    return { ...result, seconds: (performance.now() - startedAt) / 1000 };
  } catch (error) {
    if (!options.signal.aborted) throw asDiskError(error);
    throw new ToolkitError('INTERRUPTED', 'The build was interrupted; the last artifact is as it was.', {
      cause: error,
    });
  } finally {
    if (buildDir !== null) await closeBuildDir(options.reading.root, buildDir, options.keepBuild);
  }
}

async function build(options: BuildOptions, buildDir: string): Promise<Omit<BuildResult, 'seconds'>> {
  const { reading, signal } = options;
  const endpoints = groupEndpoints(reading.endpoints);
  const artifact = options.output ?? path.join(reading.root, PROJECT_FILES.artifact);
  // An artifact never ships an artifact: it would grow with every build.
  const shipped = (await reading.shippedFiles()).filter((one) => path.join(reading.root, one) !== artifact);
  warnOfSecrets(shipped, options.report);
  const generated = await generateCode(reading, endpoints, shipped);
  const callers = generated.filter(({ closure }) => closure.callsPeers).map(({ endpoint }) => endpoint.name);
  const requirements = await collectRequirements(reading, new Set(callers));
  const interpreter = once(() => findPython({ ...options, target: reading.config.python }));
  const python = reading.config.python ?? (await interpreter()).version;
  const limit = new ArtifactLimit();
  const sets = await installDependencies(requirements, options.exclude, limit, {
    ...options,
    root: reading.root,
    python,
    interpreter,
    workDir: buildDir,
  });
  const file = path.join(buildDir, path.basename(PROJECT_FILES.artifact));
  // The long step; everything of the code part is made meanwhile.
  const dependencies = sets.flatMap(({ part }) => part ?? []);
  const begun = beginArtifact(file, dependencies);
  const { app, assembled } = await prepareCode(options, buildDir, { shipped, generated, sets, python })
    .then(async ({ app, code }) => ({
      app,
      assembled: await finishArtifact(begun, file, dependencies, code, limit, signal),
    }))
    .finally(() => Promise.allSettled([begun]));
  const manifestPath = path.join(reading.root, PROJECT_FILES.manifest);
  const manifestFile = path.join(buildDir, `published-${path.basename(PROJECT_FILES.manifest)}`);
  await writeFile(manifestFile, manifestText(app));
  signal.throwIfAborted();
  await publish(file, artifact);
  await publish(manifestFile, manifestPath);
  await pruneCache(options.toolkitHome, options.report);
  const { bytes, sha256 } = assembled;
  const parts = assembled.parts.map((part) => ({ ...part, file: artifact }));
  const excluded = [...new Set(sets.flatMap((set) => set.excluded))].sort();
  return { artifact, manifestPath, bytes, sha256, app, parts, excluded, shipped };
}

/** Keys and the like ship only where `.toolkitignore` names them, and never unsaid. */
function warnOfSecrets(shipped: readonly string[], report: ReportProgress): void {
  const named = shipped.filter((file) => isWithheld(file, false));
  if (named.length === 0) return;
  const message = `${PROJECT_FILES.ignore} has the artifact hold what never ships otherwise: ${named.join(', ')}.`;
  report({ type: 'warning', message });
}

/** Fingerprints, manifest and generated files: everything of the code part but its packing. */
async function prepareCode(
  { reading, keepBuild, signal }: BuildOptions,
  buildDir: string,
  made: { shipped: string[]; generated: GeneratedEndpoint[]; sets: DependencySet[]; python: string },
): Promise<{ app: AppSpec; code: CodeContents }> {
  const sdk = readSdk();
  const fingerprints = new CodeFingerprints(reading.root, made.shipped, sdk.sha256, signal);
  const app: AppSpec = [];
  for (const one of made.generated) {
    const set = made.sets.find(({ endpoints }) => endpoints.includes(one.endpoint.name));
    if (!set) throw new Error(`The endpoint "${one.endpoint.name}" has no dependency set.`);
    app.push(await specify(one, set, made.python, fingerprints));
  }
  const code = codeContents(reading.root, made.shipped, made.generated, app, made.sets, sdk);
  if (keepBuild) await stage(buildDir, code);
  return { app, code };
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
  const generated = new Map<string, Uint8Array>(sdk.files);
  for (const { files } of made) for (const [name, text] of files) generated.set(name, Buffer.from(text));
  generated.set(ARTIFACT_PATHS.requirements, Buffer.from(lockedText(sets)));
  generated.set(ARTIFACT_PATHS.manifest, Buffer.from(manifestText(app)));
  return { root, shipped, generated };
}

/** The locked set; of several sets each has a heading with its name and its endpoints. */
function lockedText(sets: readonly DependencySet[]): string {
  const texts = sets.map(({ name, endpoints, packages }) => {
    const heading = sets.length > 1 ? `# ${name}: ${endpoints.join(', ')}\n` : '';
    const pins = packages.map((one) => `${one.name}==${one.version}\n`).sort();
    return heading + pins.join('');
  });
  return texts.join('\n');
}

/** Lays the generated files into the build folder, to be looked at; the archive takes them from memory. */
async function stage(buildDir: string, { generated }: CodeContents): Promise<void> {
  for (const [name, bytes] of generated) {
    const file = path.join(buildDir, name);
    await makeFolder(path.dirname(file));
    await writeFile(file, bytes);
  }
}

function manifestText(app: AppSpec): string {
  return `${JSON.stringify(encodeManifest(app), null, 2)}\n`;
}

function once(find: () => Promise<Interpreter>): () => Promise<Interpreter> {
  let found: Promise<Interpreter> | null = null;
  return () => (found ??= find());
}
