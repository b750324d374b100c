/** What most commands begin with: the root, the reading, app and environment; and the platform when it is needed. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ToolkitError } from '../contract/errors.ts';
import { HOME_FILES } from '../contract/stateManager.ts';
import { type Context, readSettings, resolveContext, type Settings } from '../deploy/settings.ts';
import { findProjectRoot } from '../source/projectRoot.ts';
import type { ProjectReading } from '../source/reading.ts';
import { readProject } from '../source/readProject.ts';
import type { Session } from './session.ts';

export interface OpenProject {
  reading: ProjectReading;
  settings: Settings;
  context: Context;
}

/** The project's root: `--project`, else found upward from the working directory. */
export function projectRoot(session: Session): string {
  const named = session.flags.project;
  const home = readSettings(null, session.env).toolkitHome;
  if (named === null) return findProjectRoot(session.cwd, homedir(), home);
  const root = path.resolve(session.cwd, named);
  // An empty name is what a script's unset variable leaves, and not the working directory.
  if (named === '' || !statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ToolkitError('PROJECT_NOT_FOUND', `--project ${named || '""'} is not a folder.`, {
      hint: 'Name the folder that holds your project.',
    });
  }
  return root;
}

/**
 * Reads the project that the command stands in. Touches no network and runs nothing.
 *
 * @param named - Files relative to the root that are read even where they are ignored.
 */
export async function openProject(session: Session, named: readonly string[] = []): Promise<OpenProject> {
  const root = projectRoot(session);
  const settings = readSettings(root, session.env, session.editorKeys);
  const cacheDir = path.join(settings.toolkitHome, HOME_FILES.factsCache);
  const reading = await readProject({ root, named, cacheDir, signal: session.signal });
  return { reading, settings, context: resolveContext(settings, session.flags, reading.config.app) };
}
