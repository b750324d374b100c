/** Names that a user types are refused here, before anything is asked of a platform. */
import { ToolkitError } from '../contract/errors.ts';
import { isValidName, NAME_RULE } from '../contract/names.ts';

/** @throws ToolkitError USAGE */
export function requireName(what: 'app' | 'environment', name: string): string {
  if (isValidName(name)) return name;
  throw new ToolkitError('USAGE', `"${name}" is not a valid name of an ${what}: it must be ${NAME_RULE}.`, {
    hint: 'Choose another name.',
  });
}
