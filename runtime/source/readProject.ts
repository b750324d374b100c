/** Entry point of the room: a root folder → declarations and diagnostics. Never runs the project's code. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';
import { ImportReader } from './discovery/ImportReader.ts';
import { ProjectFiles } from './discovery/ProjectFiles.ts';
import { Dependencies } from './environment/Dependencies.ts';
import { FindingReader } from './findings/FindingReader.ts';
import { pyprojectText, readProjectConfig } from './projectConfig.ts';
import { projectFaults } from './projectFaults.ts';
import type { ProjectReading } from './reading.ts';
import { readTables } from './readTables.ts';
import { SnapshotReader } from './snapshot/SnapshotReader.ts';
import { finishSteps } from './steps.ts';

/** Steps between two checks of the signal. */
const SLICE = 500;

/** Which project to read, and how. */
interface ReadProjectOptions {
  /** The project's root. */
  root: string;
  /** Name of the app; overrides pyproject.toml. */
  app?: string;
  /** Paths relative to the root that are read even when they are ignored. They still do not ship. */
  named?: readonly string[];
  /** Folder that keeps facts of unchanged files between commands. */
  cacheDir?: string;
  signal?: AbortSignal;
  /** Environment variables that select the project's Python; the process's own by default. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Reads a project.
 *
 * @throws ToolkitError PROJECT_CONFIG for an invalid pyproject.toml, PROJECT_NOT_FOUND when the root is not a folder,
 * INTERRUPTED when the signal is aborted. Faults in Python files are diagnostics.
 */
export async function readProject({
  root,
  app,
  named,
  cacheDir,
  signal,
  env = process.env,
}: ReadProjectOptions): Promise<ProjectReading> {
  const absolute = path.resolve(root);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ToolkitError('PROJECT_NOT_FOUND', `${absolute} is not a folder.`, {
      hint: 'Pass a folder to --project.',
    });
  }
  const config = readProjectConfig(absolute);
  const checkpoint = () => {
    if (signal?.aborted) throw new ToolkitError('INTERRUPTED', 'Reading the project was interrupted.');
  };
  const files = new ProjectFiles(absolute, { cacheDir, named });
  checkpoint();
  await finishSteps(files.read(), everySlice(checkpoint));
  const { tables, ignores } = await readTables(absolute);
  const faults = await projectFaults(pyprojectText(absolute), config);
  const dependencies = new Dependencies({ root: absolute, env });
  const { index, findings } = await finishSteps(
    new SnapshotReader(files, new FindingReader(files), false).read({
      config,
      tables,
      ignores,
      dependencies,
      projectFaults: faults,
    }),
  );
  files.save();
  const imports = new ImportReader(files);
  const sites = index.endpoints();
  return {
    root: absolute,
    config: app === undefined ? config : { ...config, app },
    sites,
    endpoints: sites.filter(({ alternative }) => !alternative),
    diagnostics: [...findings.values()].flat(),
    files: files.count,
    shippedFiles: () => Promise.resolve(files.shipped()),
    importsOf: (file) => imports.of(file),
    textOf: (file) => files.textOf(file),
  };
}

/** Checking the signal after each file would cost more than reading the file. */
function everySlice(checkpoint: () => void): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % SLICE === 0) checkpoint();
  };
}
