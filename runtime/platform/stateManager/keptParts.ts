/** Maps the parts that a deploy names to those that the platform stores. */
import type { AppSpec } from '../../contract/appSpec.ts';
import type { PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import type { Parts } from './parts.ts';

/**
 * Returns the parts as they are stored: another machine may have uploaded equal content as different bytes.
 *
 * @throws ToolkitError PART_MISSING.
 */
export function keptParts(kept: Parts, named: readonly PartRef[], wanted: AppSpec): PartRef[] {
  if (wanted.length > 0 && !named.some((part) => part.role === 'code')) {
    throw new ToolkitError('PART_MISSING', 'The deploy does not contain the code part of an artifact.');
  }
  return named.map((part) => {
    const own = kept.find(part.content);
    if (own) return { ...part, sha256: own.sha256, size: own.size };
    throw new ToolkitError(
      'PART_MISSING',
      `The ${part.role} part ${part.content.slice(0, 12)} of the artifact was not uploaded.`,
      { hint: 'Deploy again to upload it.' },
    );
  });
}
