/** Finds and reads the project, and resolves its settings, app and environment: the first step of most commands. */
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
  // An empty name comes from an unset variable in a script; it must not mean the working directory.
  if (named === '' || !statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ToolkitError('PROJECT_NOT_FOUND', `--project ${named || '""'} is not a folder.`, {
      hint: 'Pass the folder that contains your project.',
    });
  }
  return root;
}

/**
 * Reads the project without using the network or running code.
 *
 * @param named - Files, relative to the root, to read even if they are ignored.
 */
export async function openProject(session: Session, named: readonly string[] = []): Promise<OpenProject> {
  const root = projectRoot(session);
  const settings = readSettings(root, session.env, session.editorKeys);
  const cacheDir = path.join(settings.toolkitHome, HOME_FILES.factsCache);
  const reading = await readProject({ root, named, cacheDir, signal: session.signal });
  return { reading, settings, context: resolveContext(settings, session.flags, reading.config.app) };
}
