/** `toolkit build`: builds the artifact without deploying it. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BuildResult, buildProject } from '../../build/buildProject.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { buildRequest } from '../buildRequest.ts';
import { count, formatBytes, formatSeconds } from '../format.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

/** The first bytes of every artifact. */
const GZIP = Buffer.from([0x1f, 0x8b]);

export const handle: Handler = async ({ flags, session }) => {
  const project = await openProject(session);
  const output = outputFile(textFlag(flags, 'output'), session);
  const built = await buildProject({
    ...buildRequest(project, session, {
      exclude: textFlag(flags, 'exclude'),
      keepBuild: flags['keepBuild'] === true,
      output,
      upgrade: flags['upgrade'] === true,
    }),
    report: session.report,
    signal: session.signal,
  });
  const endpoints = built.app.map(({ name }) => name);
  const document = {
    artifact: built.artifact,
    manifest: built.manifestPath,
    bytes: built.bytes,
    sha256: built.sha256,
    endpoints,
    excluded: built.excluded,
    seconds: built.seconds,
  };
  const ships = session.flags.verbose
    ? ['', 'Files in the artifact:', ...built.shipped.map((file) => `  ${file}`)]
    : [];
  session.result(
    document,
    [
      `${paint.green('✓')} ${count(endpoints.length, 'endpoint')} (${endpoints.join(', ')}) in ${formatSeconds(built.seconds)}`,
      `  ${built.artifact}  ${formatBytes(built.bytes)}`,
      `  sha256 ${built.sha256}`,
      ...leftOut(built),
      ...ships,
    ].join('\n'),
  );
};

/** Lines on the packages that the artifact lacks: those in the base image, and those that nothing provides. */
function leftOut({ app, excluded }: BuildResult): string[] {
  const inBase = new Set(app.flatMap(({ baseLayer }) => baseLayer.map((pin) => pin.split('==')[0])));
  const provided = excluded.filter((name) => inBase.has(name));
  const missing = excluded.filter((name) => !inBase.has(name));
  return [
    ...(provided.length > 0 ? [`  taken from the base image: ${provided.join(', ')}`] : []),
    ...(missing.length > 0
      ? [`  excluded by --exclude: ${missing.join(', ')} (not in the base image either)`]
      : []),
  ];
}

/**
 * `--output` as an absolute path, checked before the build starts.
 *
 * @throws ToolkitError USAGE if it is a folder, or something else that a build would destroy.
 */
function outputFile(named: string | null, session: Session): string | null {
  if (named === null) return null;
  const file = path.resolve(session.cwd, named);
  const present = statSync(file, { throwIfNoEntry: false });
  if (!present || (present.isFile() && (present.size === 0 || isGzip(file)))) return file;
  if (present.isDirectory())
    throw new ToolkitError('USAGE', `--output ${named} is a folder.`, {
      hint: `Pass a file, for example --output ${path.join(named, 'artifact.tar.gz')}.`,
    });
  throw new ToolkitError('USAGE', `--output ${named} exists and is not an artifact.`, {
    hint: 'Pass another path, or remove it first.',
  });
}

function isGzip(file: string): boolean {
  const start = Buffer.alloc(GZIP.length);
  try {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, start);
    closeSync(descriptor);
  } catch {
    // An unreadable file is not one that a build of this user has written.
    return false;
  }
  return start.equals(GZIP);
}
