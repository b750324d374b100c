/** Rejects invalid names before any request to a platform. */
import { ToolkitError } from '../contract/errors.ts';
import { isValidName, NAME_RULE } from '../contract/names.ts';

/** @throws ToolkitError USAGE */
export function requireName(what: 'app' | 'environment', name: string): string {
  if (isValidName(name)) return name;
  throw new ToolkitError('USAGE', `"${name}" is not a valid ${what} name: use ${NAME_RULE}.`, {
    hint: 'Choose another name.',
  });
}
