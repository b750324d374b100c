/** All checks that can refuse a deploy. They run before anything changes. */

import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { Plan } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { BASE_IMAGES, isValidName, LIVE_PREFIX, NAME_RULE } from '../../contract/names.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import { Gpus } from '../hardware/gpus.ts';
import { isBaseImage } from '../workers/assignment.ts';

/** @throws ToolkitError MANIFEST_INVALID for an invalid name. */
export function checkNames(app: string, environment: string, wanted: EndpointSpec[]): void {
  const named: [string, string][] = [
    ['app', app],
    ['environment', environment],
    ...wanted.map((spec): [string, string] => ['endpoint', spec.name]),
  ];
  for (const [what, name] of named) {
    if (isValidName(name)) continue;
    throw new ToolkitError('MANIFEST_INVALID', `"${name}" is not a valid ${what} name: use ${NAME_RULE}.`, {
      hint: 'Choose another name.',
    });
  }
  const reserved = wanted.find((spec) => spec.name.startsWith(LIVE_PREFIX));
  if (reserved) {
    throw new ToolkitError(
      'MANIFEST_INVALID',
      `"${reserved.name}" begins with "${LIVE_PREFIX}", which is reserved for the endpoints of toolkit dev.`,
      {
        hint: `Choose a name that does not begin with "${LIVE_PREFIX}".`,
      },
    );
  }
}

/**
 * Checks that the platform can run these endpoints.
 *
 * @param pythons Minor versions of Python on this node.
 * @throws ToolkitError PYTHON_UNSUPPORTED, SETTING_UNSUPPORTED naming endpoint and setting.
 */
export function checkNode(wanted: EndpointSpec[], pythons: string[], gpus: Gpus): void {
  for (const spec of wanted) {
    if (!isBaseImage(spec.image)) {
      throw new ToolkitError(
        'SETTING_UNSUPPORTED',
        `The endpoint "${spec.name}" sets image "${spec.image}", which this platform cannot run yet.`,
        {
          hint: `Remove image= from "${spec.name}": it then runs on ${Object.values(BASE_IMAGES).join(' or ')}.`,
        },
      );
    }
    if (!pythons.includes(spec.python)) {
      const has = pythons.length > 0 ? `it has ${pythons.toSorted().join(', ')}` : 'it has none';
      throw new ToolkitError(
        'PYTHON_UNSUPPORTED',
        `The endpoint "${spec.name}" needs Python ${spec.python}, which this platform does not have: ${has}.`,
        {
          hint: `Install Python ${spec.python} and restart the platform, or set python under [tool.toolkit].`,
        },
      );
    }
    checkCards(spec, gpus);
  }
}

function checkCards(spec: EndpointSpec, gpus: Gpus): void {
  if (!('gpu' in spec.hardware) || gpus.mode !== 'auto') return;
  const { most } = gpus;
  if (most === 0 || spec.gpuCount <= most) return;
  throw new ToolkitError(
    'SETTING_UNSUPPORTED',
    `The endpoint "${spec.name}" sets gpu_count=${spec.gpuCount}, but ${gpus.isAlone ? 'this machine' : 'the node with the most GPUs'} has ${most}.`,
    { hint: `Set gpu_count to ${most} or less.` },
  );
}

/** One endpoint's share of the account's workers. */
export interface QuotaShare {
  /** `app/environment`. */
  place: string;
  name: string;
  workersMax: number;
}

/** The shares of all persistent endpoints after a deploy: the other ones, and the wanted ones. */
export function quotaShares(others: DeployedEndpoint[], place: string, wanted: EndpointSpec[]): QuotaShare[] {
  const kept = others
    .filter(({ run }) => run === null)
    .map(({ app, environment, name, spec }) => ({
      place: `${app}/${environment}`,
      name,
      workersMax: spec.workersMax,
    }));
  return [...kept, ...wanted.map(({ name, workersMax }) => ({ place, name, workersMax }))];
}

/** @throws ToolkitError QUOTA_EXCEEDED naming the endpoints and their numbers. */
export function checkQuota(shares: QuotaShare[], place: string, quota: number): void {
  const total = shares.reduce((sum, share) => sum + share.workersMax, 0);
  if (total <= quota) return;
  const listed = shares
    .filter((share) => share.workersMax > 0)
    .toSorted((a, b) => b.workersMax - a.workersMax)
    .map((share) => `${share.place === place ? '' : `${share.place}/`}${share.name} ${share.workersMax}`)
    .join(', ');
  throw new ToolkitError(
    'QUOTA_EXCEEDED',
    `The endpoints can use up to ${total} workers, but the account's quota is ${quota}: ${listed}.`,
    { hint: 'Reduce workers, for example to workers=(0, 1), or remove endpoints that are not used.' },
  );
}

/** @throws ToolkitError CONFIRMATION_NEEDED if endpoints would be removed and this was not allowed. */
export function checkRemovals(plan: Plan, allowed: boolean): void {
  if (allowed || plan.remove.length === 0) return;
  const names = plan.remove.join(', ');
  throw new ToolkitError('CONFIRMATION_NEEDED', `This deploy would remove ${names}; nothing was changed.`, {
    hint: 'Add --yes to remove them, or restore their declarations.',
  });
}
