/**
 * Requirements → a lock's tables, resolved by pip on machines where uv cannot be installed. pip evaluates markers for the
 * Python that runs it, so it is used only if that is the Python of the workers. It builds nothing from source.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { normalizeName, requirementName } from '../../source/environment/distributionName.ts';
import { redact } from '../../source/environment/redact.ts';
import { makeFolder } from '../fileErrors.ts';
import { runTool } from '../runTool.ts';
import type { Interpreter } from './interpreter.ts';
import type { LockDocument } from './lockDocument.ts';
import { subject } from './requiredBy.ts';
import { conflictError } from './requirementConflict.ts';
import type { RequirementSet } from './requirements.ts';
import { requirementsFile } from './requirementsFile.ts';
import { TARGET_PLATFORMS } from './targetTags.ts';

/** Options of a resolution by pip. */
export interface PipOptions {
  interpreter: Interpreter;
  /** Folder for the files that pip reads. */
  workDir: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** pip is missing, is too old, or cannot reach an index. */
export class PipFailed extends Error {
  override readonly name = 'PipFailed';
}

const UNREACHABLE =
  /NewConnectionError|ConnectionError|Temporary failure|Name or service not known|timed out/;

/** pip's report, version 1 (pip.pypa.io/en/stable/reference/installation-report). */
const reportSchema = z.object({
  install: z.array(
    z.object({
      is_direct: z.boolean(),
      download_info: z.object({
        url: z.string(),
        // Before 23.1, pip reports the hash of a local file only as `hash`.
        archive_info: z.union([
          z.object({ hashes: z.object({ sha256: z.string() }) }),
          z.object({ hash: z.string().check(z.startsWith('sha256=')) }),
        ]),
      }),
      requested_extras: z.optional(z.array(z.string())),
      metadata: z.object({
        name: z.string(),
        version: z.string(),
        requires_dist: z.optional(z.array(z.string())),
      }),
    }),
  ),
});

type Installed = z.infer<typeof reportSchema>['install'][number];

/** Whether pip on this machine resolves as it would on a worker. */
export function pipFits(interpreter: Interpreter, python: string): boolean {
  return interpreter.version === python && process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Resolves a set of requirements, to wheels.
 *
 * @param previous The previous lock, whose versions are kept if all of them still fit.
 * @throws ToolkitError DEPENDENCY_UNRESOLVED or DEPENDENCY_CONFLICT; PipFailed.
 */
export async function resolveWithPip(
  set: RequirementSet,
  previous: LockDocument | null,
  options: PipOptions,
): Promise<LockDocument> {
  await makeFolder(options.workDir);
  const requirements = path.join(options.workDir, 'requirements.in');
  const constraints = path.join(options.workDir, 'constraints.txt');
  await writeFile(
    requirements,
    requirementsFile([...set.options, ...set.requirements.map(({ text }) => text)]),
  );
  const pins = (previous?.packages ?? []).flatMap(({ name, version }) =>
    typeof name === 'string' && typeof version === 'string' ? [`${name}==${version}`] : [],
  );
  const args = ['-r', requirements, '-c', constraints];
  await writeFile(constraints, requirementsFile([...set.constraints, ...pins]));
  let run = await runPip(args, options);
  if (run.code !== 0 && pins.length > 0 && !UNREACHABLE.test(run.stderr)) {
    await writeFile(constraints, requirementsFile(set.constraints));
    run = await runPip(args, options);
  }
  if (run.code !== 0) throw pipError(run.stderr, set, options);
  const { install } = reportSchema.parse(JSON.parse(run.stdout));
  return {
    head: {
      'lock-version': '1.0',
      'created-by': 'pip',
      'requires-python': `>=${options.interpreter.version}`,
    },
    packages: install.map((one) => packageTable(one, install)),
  };
}

async function runPip(args: string[], options: PipOptions) {
  const abi = `cp${options.interpreter.version.replace('.', '')}`;
  const target = [
    ...TARGET_PLATFORMS.flatMap((platform) => ['--platform', platform]),
    '--python-version',
    options.interpreter.version,
    '--implementation',
    'cp',
    ...[abi, 'abi3', 'none'].flatMap((one) => ['--abi', one]),
  ];
  const ask = ['install', '--dry-run', '--quiet', '--ignore-installed', '--report', '-', '--retries', '1'];
  const only = ['--disable-pip-version-check', '--only-binary', ':all:', '--target', options.workDir];
  return runTool(options.interpreter.path, ['-m', 'pip', ...ask, ...only, ...target, ...args], {
    env: options.env,
    signal: options.signal,
    cwd: options.workDir,
  });
}

function packageTable(
  { is_direct: isDirect, download_info: from, metadata, requested_extras: extras = [] }: Installed,
  all: readonly Installed[],
): Record<string, unknown> {
  const known = new Set(all.map((one) => normalizeName(one.metadata.name)));
  const needs = (metadata.requires_dist ?? []).flatMap((text) => {
    const extra = /\bextra\s*==\s*['"]([^'"]+)['"]/.exec(text)?.[1];
    const name = requirementName(text);
    return name !== null && known.has(name) && (extra === undefined || extras.includes(extra)) ? [name] : [];
  });
  const file = {
    url: redact(from.url),
    hashes: { sha256: sha256Of(from.archive_info) },
  };
  const unique = [...new Set(needs)].sort();
  return {
    name: normalizeName(metadata.name),
    version: metadata.version,
    ...(isDirect ? { archive: file } : { wheels: [file] }),
    ...(unique.length > 0 ? { dependencies: unique.map((name) => ({ name })) } : {}),
  };
}

function sha256Of(archive: Installed['download_info']['archive_info']): string {
  return 'hashes' in archive ? archive.hashes.sha256 : archive.hash.slice('sha256='.length);
}

function pipError(stderr: string, set: RequirementSet, { interpreter }: PipOptions): Error {
  // Checked first: without an index, pip calls a pinned version a conflict.
  if (UNREACHABLE.test(stderr)) return new PipFailed(stderr.slice(-2_000));
  const conflict = /Cannot install (.+?) because these package versions have conflicting dependencies/.exec(
    stderr,
  );
  if (conflict) {
    const names = conflict[1]!.split(/,\s*|\s+and\s+/).flatMap((one) => requirementName(one.trim()) ?? []);
    return conflictError(new Set(names), set);
  }
  const missing =
    /Could not find a version that satisfies the requirement (\S+).*\(from versions: (.*)\)/.exec(stderr);
  const name = missing && requirementName(missing[1]!.replace(/[(\s].*$/, ''));
  if (!name) return new PipFailed(stderr.slice(-2_000));
  const what = subject(name, set);
  const target = `Python ${interpreter.version} on Linux x86_64`;
  if (missing[2] === 'none') {
    return new ToolkitError(
      'DEPENDENCY_UNRESOLVED',
      `The package index has no wheel of ${what} for ${target}.`,
      { hint: 'Check the spelling and the version of the package.' },
    );
  }
  return new ToolkitError(
    'DEPENDENCY_UNRESOLVED',
    `No version of ${what} that satisfies the requirements has a wheel for ${target}. Versions with a wheel: ${missing[2]}.`,
    { hint: 'Require one of these versions.' },
  );
}
