/** Describes the hardware that an endpoint really runs on, for status, plans and deploys. */

import type { EndpointSpec } from '../../contract/appSpec.ts';
import { GPU_TYPES } from '../../contract/hardware.ts';
import { Gpus } from './gpus.ts';

/** One phrase, such as `cpu5c-4-8`, `NVIDIA L4 (requested: ADA_24)` or `CPU: no GPU on this machine`. */
export function describeHardware(spec: EndpointSpec, gpus: Gpus): string {
  const { hardware } = spec;
  if (!('gpu' in hardware)) return hardware.cpu;
  const requested = requestedText(hardware);
  const card = gpus.serving(spec)[0];
  if (card) {
    const wanted = Gpus.wanted(hardware);
    const count = spec.gpuCount > 1 ? `${spec.gpuCount} × ` : '';
    return wanted === null || wanted.includes(card.name)
      ? `${count}${card.name}`
      : `${count}${card.name} (requested: ${requested})`;
  }
  if (gpus.mode === 'require')
    return `waits for a GPU: ${gpus.isAlone ? 'this machine has no' : 'no node has'} ${requested} (--gpu require)`;
  if (gpus.mode === 'none') return 'CPU: GPUs are switched off (--gpu none)';
  return `CPU: no GPU on ${gpus.isAlone ? 'this machine' : 'any node'}`;
}

/** The note of a plan when the hardware differs from the requested one; null if it does not. */
export function hardwareNote(spec: EndpointSpec, gpus: Gpus): string | null {
  const { hardware } = spec;
  if (!('gpu' in hardware)) return null;
  const described = describeHardware(spec, gpus);
  if (described.startsWith('CPU')) return `"${spec.name}" requests a GPU but runs on the ${described}.`;
  if (described.startsWith('waits')) return `"${spec.name}" ${described}; its jobs stay IN_QUEUE until then.`;
  return described.includes('requested') ? `"${spec.name}" runs on ${described}.` : null;
}

/** The requested hardware in the user's words. */
function requestedText(hardware: { gpu: string; gpuTypes: string[] }): string {
  if (hardware.gpuTypes.length > 0)
    return hardware.gpuTypes.map((type) => GPU_TYPES[type] ?? type).join(' or ');
  return hardware.gpu === 'ANY' ? 'GPU' : hardware.gpu;
}
