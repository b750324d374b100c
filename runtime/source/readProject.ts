/** The room's door: a root folder → declarations and diagnostics. Nothing of the project is ever run. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';
import { ProjectFiles } from './discovery/ProjectFiles.ts';
import { Dependencies } from './environment/Dependencies.ts';
import { FindingReader } from './findings/FindingReader.ts';
import { ImportReader } from './importsOf.ts';
import { readProjectConfig } from './projectConfig.ts';
import type { ProjectReading } from './reading.ts';
import { readTables } from './readTables.ts';
import { SnapshotReader } from './snapshot/SnapshotReader.ts';
import { finishSteps } from './steps.ts';

/** Steps between two looks at the signal. */
const SLICE = 500;

/** What to read. */
interface ReadProjectOptions {
  /** The project's root. */
  root: string;
  /** Name of the app; wins over pyproject.toml. */
  app?: string;
  /** Paths relative to the root that are read even where they are ignored; they ship no more for that. */
  named?: readonly string[];
  /** Folder that keeps facts of unchanged files between commands. */
  cacheDir?: string;
  signal?: AbortSignal;
  /** Variables that tell which Python is the project's; the process's own when absent. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Reads a project.
 *
 * @throws ToolkitError PROJECT_CONFIG for a pyproject.toml that cannot be understood, PROJECT_NOT_FOUND when the
 * root is no folder, INTERRUPTED when the signal is raised. Faults of Python files are diagnostics.
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
    throw new ToolkitError('PROJECT_NOT_FOUND', `${absolute} is no folder.`, {
      hint: 'Name a folder with --project.',
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
  const dependencies = new Dependencies({ root: absolute, env });
  const { index, findings } = await finishSteps(
    new SnapshotReader(files, new FindingReader(files), false).read({
      config,
      tables,
      ignores,
      dependencies,
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
  };
}

/** Asking after each file would cost more than looking at it. */
function everySlice(checkpoint: () => void): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % SLICE === 0) checkpoint();
  };
}
