/** A name that no endpoint of the project has. */

import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';

/** The name itself when no declaration has it, else `name-2`, `name-3` and so on. */
export function freeName({ declarations }: ProjectIndex, name: string): string {
  const taken = new Set(declarations.map((declaration) => effectiveName(declaration)));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const candidate = `${name.slice(0, PROJECT_LIMITS.nameLength - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}
