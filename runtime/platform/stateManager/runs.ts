/** The state manager's mutations for runs of `toolkit dev`. Each requires the scope `deploy`. */
import { ERROR_CODES, type ErrorCode } from '../../contract/errors.ts';
import type { CarriedPart, Declined, LiveRunTarget, ProvisionInput } from '../../contract/liveRun.ts';
import { requireScope } from '../auth/authorize.ts';
import type { Resolver } from './appsAndEnvironments.ts';
import type { LiveRuns } from './liveRuns.ts';
import { type PartArgs, readPart, readSecrets } from './readArguments.ts';

/** The state that the resolvers of runs use. */
export interface RunsState {
  liveRuns: LiveRuns;
}

export function runs({ liveRuns }: RunsState) {
  const renewRun: Resolver<{
    run: LiveRunTarget;
    declined: { name: string; code: string; message: string; hint?: string | null }[];
    serving: string[];
    wait: number;
  }> = (_parent, { run, declined, serving, wait }, { principal, gone }) => {
    requireScope(principal, 'deploy');
    return liveRuns.renew(run, { declined: declined.map(readDeclined), serving, wait }, gone);
  };
  const resumeRun: Resolver<{ run: LiveRunTarget }> = (_parent, { run }, { principal }) => {
    requireScope(principal, 'deploy');
    return liveRuns.resume(run);
  };
  const provision: Resolver<{
    input: {
      run: string;
      manifest: unknown;
      parts: PartArgs[];
      carried: CarriedPart[];
      secrets: unknown;
    };
  }> = (_parent, { input }, { principal }) => {
    requireScope(principal, 'deploy');
    return liveRuns.provision({
      run: input.run,
      manifest: input.manifest as ProvisionInput['manifest'],
      parts: input.parts.map(readPart),
      carried: input.carried,
      secrets: readSecrets(input.secrets),
    });
  };
  const releaseRun: Resolver<{ run: string; names?: string[] | null }> = (
    _parent,
    { run, names },
    { principal },
  ) => {
    requireScope(principal, 'deploy');
    return liveRuns.release(run, names ?? null);
  };
  return { renewRun, resumeRun, provision, releaseRun };
}

function readDeclined({
  name,
  code,
  message,
  hint,
}: {
  name: string;
  code: string;
  message: string;
  hint?: string | null;
}): Declined {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'CALL_FAILED';
  return { name, error: { code: known, message, hint: hint ?? null } };
}
