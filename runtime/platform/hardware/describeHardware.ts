/** Says truthfully what an endpoint runs on here, for status, plans and deploys. */

import type { EndpointSpec } from '../../contract/appSpec.ts';
import { GPU_TYPES } from '../../contract/hardware.ts';
import { Gpus } from './gpus.ts';

/** One phrase, such as `cpu5c-4-8`, `NVIDIA L4 (asked for ADA_24)` or `CPU: no GPU on this machine`. */
export function describeHardware(spec: EndpointSpec, gpus: Gpus): string {
  const { hardware } = spec;
  if (!('gpu' in hardware)) return hardware.cpu;
  const asked = askedFor(hardware);
  const card = gpus.serving(spec)[0];
  if (card) {
    const wanted = Gpus.wanted(hardware);
    const count = spec.gpuCount > 1 ? `${spec.gpuCount} × ` : '';
    return wanted === null || wanted.includes(card.name)
      ? `${count}${card.name}`
      : `${count}${card.name} (asked for ${asked})`;
  }
  if (gpus.mode === 'require')
    return `waits for a GPU: ${gpus.isAlone ? 'this machine has no' : 'no node has'} ${asked} (--gpu require)`;
  if (gpus.mode === 'none') return 'CPU: GPUs are switched off (--gpu none)';
  return `CPU: no GPU on ${gpus.isAlone ? 'this machine' : 'any node'}`;
}

/** What a plan adds when the hardware is not what was asked for; null when it is. */
export function hardwareNote(spec: EndpointSpec, gpus: Gpus): string | null {
  const { hardware } = spec;
  if (!('gpu' in hardware)) return null;
  const described = describeHardware(spec, gpus);
  if (described.startsWith('CPU')) return `"${spec.name}" asks for a GPU and runs on the ${described}.`;
  if (described.startsWith('waits')) return `"${spec.name}" ${described}; its jobs stay IN_QUEUE until then.`;
  return described.includes('asked for') ? `"${spec.name}" runs on ${described}.` : null;
}

/** The asked hardware in the user's words. */
function askedFor(hardware: { gpu: string; gpuTypes: string[] }): string {
  if (hardware.gpuTypes.length > 0)
    return hardware.gpuTypes.map((type) => GPU_TYPES[type] ?? type).join(' or ');
  return hardware.gpu === 'ANY' ? 'GPU' : hardware.gpu;
}
