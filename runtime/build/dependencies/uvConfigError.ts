/**
 * uv's output about a configuration file that it cannot read → an error that names the file. uv only warns of an invalid
 * pyproject.toml and continues without all its settings, so it would use other indexes than the project chose.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { redact } from '../../source/environment/redact.ts';
import { damaged } from './lockDocument.ts';
import type { UvOptions } from './uvCompile.ts';
import { uvSettingsFile } from './uvSettings.ts';

/** uv shows the faulty line and a line of carets, and then the reason. */
const TOML_ERROR = String.raw`TOML parse error at line (\d+).*\n(?:[ \d]*\|.*\n)+\s*(.+)`;
/** `Failed to parse: uv.toml` as an error, and `` Failed to parse `pyproject.toml` during settings discovery: `` as a warning. */
const IN_FILE = new RegExp(
  String.raw`^(?:error|warning): Failed to parse:? \`?([^\n\`]+)\`?(?: during settings discovery:)?\n\s*(?:cause: |Caused by: )?${TOML_ERROR}`,
  'm',
);
const MISPLACED = /^error: Failed to parse `([^\n`]+)`\. (.+)/m;
/** uv does not name the lock that it updates. */
const IN_LOCK = new RegExp(`^error: ${TOML_ERROR}`, 'm');
/** uv lists all fields or values that it knows. */
const MOST_CHARACTERS = 300;

/** @throws ToolkitError PROJECT_CONFIG if uv could not read a file of settings or sources, or the previous lock. */
export function refuseInvalidConfig(stderr: string, options: Pick<UvOptions, 'root' | 'workDir'>): void {
  const said = redact(stderr);
  const [, file, line, why] = IN_FILE.exec(said) ?? [];
  if (file && line && why) throw invalidFile(file, line, why, options);
  const [, misplaced, rule] = MISPLACED.exec(said) ?? [];
  if (misplaced && rule) throw invalidFile(misplaced, null, rule, options);
  const inLock = IN_LOCK.exec(said)?.[2];
  if (inLock) throw damaged(shorten(inLock));
}

function invalidFile(
  file: string,
  line: string | null,
  why: string,
  options: Pick<UvOptions, 'root' | 'workDir'>,
): ToolkitError {
  // uv resolves links in the path of the folder that it runs in.
  const [root, workDir] = [realpathSync(options.root), realpathSync(options.workDir)];
  const named = realpathSync(path.resolve(workDir, file));
  const reason = `${shorten(why)}.`;
  const isCopy = path.dirname(named) === workDir;
  // A file that the build wrote for the sources. The user does not know its lines.
  if (isBelow(named, workDir) && !isCopy) {
    return new ToolkitError(
      'PROJECT_CONFIG',
      `${PROJECT_FILES.pyproject}: [tool.uv.sources] or [[tool.uv.index]] is invalid: ${reason}`,
      { hint: 'Correct the table.' },
    );
  }
  const original = isCopy ? path.join(root, uvSettingsFile(root)) : named;
  const shown = isBelow(original, root) ? path.relative(root, original) : original;
  const table = path.basename(original) === PROJECT_FILES.pyproject ? ': [tool.uv]' : '';
  const place = line === null || isCopy ? '' : ` on line ${line}`;
  return new ToolkitError('PROJECT_CONFIG', `${shown}${table} is invalid${place}: ${reason}`, {
    hint: 'Correct or remove the setting.',
  });
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}${path.sep}`);
}

function shorten(text: string): string {
  const plain = text.trim().replaceAll('`', '"').replace(/\.$/, '');
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
}
