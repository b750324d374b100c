/**
 * Finds the wheels that a version has for other platforms or Pythons. Such a package contains compiled code: a wheel that is
 * built on this machine might not run on a worker.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wheelTags } from './lock.ts';
import { readDocument } from './lockDocument.ts';
import type { RequirementSet } from './requirements.ts';
import { requirementsFile } from './requirementsFile.ts';
import { someRunOnTarget } from './targetTags.ts';
import { AS_LOCK, compileFor, QUIETLY, type UvOptions, writeRequirements } from './uvCompile.ts';
import { isUnreachable } from './uvSentences.ts';

/** The oldest minor version of Python 3 whose wheels uv lists. */
const OLDEST_LISTED = 6;

/** The tags of all wheels of a version; none if one of them is for the workers. */
export async function otherWheels(
  name: string,
  version: string,
  set: RequirementSet,
  options: UvOptions,
): Promise<string[]> {
  const pins = path.join(options.workDir, 'source.txt');
  await writeFile(pins, requirementsFile([...set.constraints, `${name}==${version}`]));
  const asked = await writeRequirements('source', set, [{ text: name, name }], options.workDir);
  // uv lists the wheels for a Python and all later ones. The oldest Python that the version supports lists all wheels.
  for (let minor = OLDEST_LISTED; minor <= Number(options.python.split('.')[1]); minor += 1) {
    const target = ['--universal', '--python-version', `3.${minor}`];
    const run = await compileFor(
      [...target, '--no-deps', QUIETLY, ...AS_LOCK, '-c', pins, ...asked],
      options,
    );
    // Without the index no version can be looked up, and each attempt takes seconds.
    if (isUnreachable(run.stderr)) return [];
    if (run.code !== 0) continue;
    const tags = wheelTags(readDocument(run.stdout));
    return someRunOnTarget(tags, options.python) ? [] : tags;
  }
  return [];
}
