/** Declarations → artifact: the six steps of a build, in order. Never runs the user's code. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppSpec } from '../contract/appSpec.ts';
import type { PartRef } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import { walkProject } from '../source/discovery/walkProject.ts';
import { runSteps } from '../source/steps.ts';
import { beginArtifact, finishArtifact } from './assembleArtifact.ts';
import { closeBuildDir, openBuildDir } from './buildDir.ts';
import { FileHashes } from './code/fileHashes.ts';
import type { CodeContents } from './code/packCode.ts';
import { asDiskError, makeFolder } from './fileErrors.ts';
import { gather, manifestText, type PrepareOptions, prepareCode } from './prepareBuild.ts';
import { pruneCache } from './pruneCache.ts';
import { publish } from './publishOutputs.ts';
import { refuseErrors } from './refuseErrors.ts';
import { reportWarnings } from './reportWarnings.ts';

/** What to build, and how. */
export interface BuildOptions extends PrepareOptions {
  /** Keeps the generated files in `.toolkit/.build/`. */
  keepBuild: boolean;
  /** Path of the artifact; null for the default. */
  output: string | null;
}

/** A part of the artifact: `size` bytes of `file`, starting at `offset`. */
export interface ArtifactPart extends PartRef {
  file: string;
  offset: number;
}

/** A finished build. */
export interface BuildResult {
  /** Absolute path. */
  artifact: string;
  /** Absolute path. */
  manifestPath: string;
  /** Size of the artifact. */
  bytes: number;
  /** Hash of the artifact, hex. */
  sha256: string;
  app: AppSpec;
  parts: ArtifactPart[];
  /** Names of excluded packages. */
  excluded: string[];
  /** Project files in the artifact, relative to the root. */
  shipped: string[];
  seconds: number;
}

/**
 * Builds a project. The last good artifact stays in place until the new one is complete.
 *
 * @throws ToolkitError for everything that a user can fix, INTERRUPTED after an abort.
 */
export async function buildProject(options: BuildOptions): Promise<BuildResult> {
  const startedAt = performance.now();
  refuseErrors(options.reading);
  reportWarnings(options.reading, options.report);
  let buildDir: string | null = null;
  try {
    options.signal.throwIfAborted();
    buildDir = await openBuildDir(options.reading.root);
    const result = await build(options, buildDir);
    return { ...result, seconds: (performance.now() - startedAt) / 1000 };
  } catch (error) {
    if (!options.signal.aborted) throw asDiskError(error);
    throw new ToolkitError('INTERRUPTED', 'The build was interrupted; the previous artifact is unchanged.', {
      cause: error,
    });
  } finally {
    if (buildDir !== null) await closeBuildDir(options.reading.root, buildDir, options.keepBuild);
  }
}

async function build(options: BuildOptions, buildDir: string): Promise<Omit<BuildResult, 'seconds'>> {
  const { reading, signal } = options;
  const artifact = options.output ?? path.join(reading.root, PROJECT_FILES.artifact);
  const gathered = await gather(options, buildDir, artifact);
  const { shipped, sets, limit } = gathered;
  const file = path.join(buildDir, path.basename(PROJECT_FILES.artifact));
  // This takes longest, so the code part is prepared at the same time.
  const dependencies = sets.flatMap(({ part }) => part ?? []);
  const begun = beginArtifact(file, dependencies);
  const { app, assembled } = await prepareCode(gathered, new FileHashes(reading.root, signal), signal)
    .then(async ({ app, code }) => {
      if (options.keepBuild) await stage(buildDir, code);
      return { app, assembled: await finishArtifact(begun, file, dependencies, code, limit, signal) };
    })
    .finally(() => Promise.allSettled([begun]));
  const manifestPath = path.join(reading.root, PROJECT_FILES.manifest);
  const manifestFile = path.join(buildDir, `published-${path.basename(PROJECT_FILES.manifest)}`);
  await writeFile(manifestFile, manifestText(app));
  signal.throwIfAborted();
  await publish(file, artifact);
  await publish(manifestFile, manifestPath);
  warnIfShipped(artifact, options);
  await pruneCache(options.toolkitHome, options.report);
  const { bytes, sha256 } = assembled;
  const parts = assembled.parts.map((part) => ({ ...part, file: artifact }));
  const excluded = [...new Set(sets.flatMap((set) => set.excluded))].sort();
  return { artifact, manifestPath, bytes, sha256, app, parts, excluded, shipped };
}

/** Warns of an artifact that later builds would contain, because it is a file of the project like any other. */
function warnIfShipped(artifact: string, { reading, report }: BuildOptions): void {
  const file = path.relative(reading.root, artifact).replaceAll(path.sep, '/');
  if (file.startsWith('../') || !runSteps(walkProject(reading.root, file)).files.includes(file)) return;
  const message = `${file} is in the project, so other builds and deploys ship it: list it in ${PROJECT_FILES.ignore}.`;
  report({ type: 'warning', message });
}

/** Writes the generated files to the build folder, for the user to look at. The archive takes them from memory. */
async function stage(buildDir: string, { generated }: CodeContents): Promise<void> {
  for (const [name, bytes] of generated) {
    const file = path.join(buildDir, name);
    await makeFolder(path.dirname(file));
    await writeFile(file, bytes);
  }
}
