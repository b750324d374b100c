/** Converts the arguments of GraphQL operations to the types of the state manager. */
import * as z from 'zod/mini';
import type { DeployInput, PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';

const secretsSchema = z.record(z.string(), z.record(z.string(), z.string()));

export interface PartArgs {
  role: string;
  content: string;
  sha256: string;
  size: number;
  dependencySet?: string | null;
}

export function readPart({ role, content, sha256, size, dependencySet }: PartArgs): PartRef {
  if (role !== 'code' && role !== 'dependencies') {
    throw new ToolkitError('UPLOAD_REJECTED', `A part's role must be code or dependencies, not "${role}".`);
  }
  return { role, content, sha256, size, dependencySet: dependencySet ?? null };
}

export function readSecrets(json: unknown): DeployInput['secrets'] {
  const parsed = secretsSchema.safeParse(json);
  if (!parsed.success)
    throw new ToolkitError(
      'BAD_REQUEST',
      'The secrets must have the form {"<endpoint>": {"<variable>": "<value>"}}.',
    );
  return parsed.data;
}
