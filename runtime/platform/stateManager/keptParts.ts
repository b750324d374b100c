/** The parts that a deploy names → those that the platform keeps. */
import type { AppSpec } from '../../contract/appSpec.ts';
import type { PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import type { Parts } from './parts.ts';

/**
 * The parts as they are kept: equal content may have been sent in other bytes by another machine.
 *
 * @throws ToolkitError PART_MISSING.
 */
export function keptParts(kept: Parts, named: readonly PartRef[], wanted: AppSpec): PartRef[] {
  if (wanted.length > 0 && !named.some((part) => part.role === 'code')) {
    throw new ToolkitError('PART_MISSING', 'The deploy names no code part.');
  }
  return named.map((part) => {
    const own = kept.find(part.content);
    if (own) return { ...part, sha256: own.sha256, size: own.size };
    throw new ToolkitError(
      'PART_MISSING',
      `The ${part.role} part ${part.content.slice(0, 12)} was not uploaded.`,
      { hint: 'Deploy again: what is missing is uploaded first.' },
    );
  });
}
