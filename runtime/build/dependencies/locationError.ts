/** uv's output → the error for a location of packages that is neither a URL nor an existing folder. */
import { existsSync } from 'node:fs';
import { ToolkitError } from '../../contract/errors.ts';
import { redact } from '../../source/environment/redact.ts';
import { isUrl } from '../../source/environment/requirementLines.ts';
import type { RequirementSet } from './requirements.ts';

/** What uv reports for it, without its place. */
const NEITHER = 'relative URL without a base';

/** The error for a `--find-links` or an index that does not exist; null if uv failed for another reason. */
export function locationError(stderr: string, { links }: RequirementSet): ToolkitError | null {
  if (!stderr.includes(NEITHER)) return null;
  const cause = new Error(redact(stderr).trim().slice(0, 4_000));
  const absent = links.find(({ target }) => !isUrl(target) && !existsSync(target));
  if (absent)
    return new ToolkitError(
      'REQUIREMENT_INVALID',
      `${absent.place}: the folder ${absent.target} of --find-links does not exist.`,
      { hint: 'Create this folder, or remove the option.', cause },
    );
  return new ToolkitError(
    'DEPENDENCY_UNRESOLVED',
    'An index or a --find-links in the configuration of pip or uv is neither a URL nor an existing folder.',
    {
      hint: 'Correct it. Variables such as UV_INDEX_URL and PIP_FIND_LINKS are part of this configuration.',
      cause,
    },
  );
}
