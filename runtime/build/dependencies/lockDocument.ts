/** A lock (PEP 751) as TOML tables. */
import { parse } from 'smol-toml';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';

/** A lock's TOML tables. */
export interface LockDocument {
  /** All keys except the packages. */
  head: Record<string, unknown>;
  packages: Record<string, unknown>[];
}

/**
 * Parses a lock.
 *
 * @throws ToolkitError PROJECT_CONFIG if it is not a lock.
 */
export function readDocument(text: string): LockDocument {
  let parsed: Record<string, unknown>;
  try {
    parsed = parse(text);
  } catch (cause) {
    throw damaged('it is not valid TOML', cause);
  }
  const { packages, ...head } = parsed;
  if (packages !== undefined && !Array.isArray(packages)) throw damaged('its packages are not tables');
  return { head, packages: (packages ?? []) as Record<string, unknown>[] };
}

/** A lock without files: a resolver keeps the versions that fit. */
export function lockOf(versions: Readonly<Record<string, string>>): LockDocument {
  return {
    head: { 'lock-version': '1.0', 'created-by': 'toolkit' },
    packages: Object.entries(versions).map(([name, version]) => ({ name, version })),
  };
}

/** The error for a lock that is not valid. */
export function damaged(why: string, cause?: unknown): ToolkitError {
  return new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.lock} cannot be used: ${why}.`, {
    hint: `Delete ${PROJECT_FILES.lock} and build again.`,
    cause,
  });
}
