import { isDirect, removal } from '../fixes/callArguments.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt } from '../fixes/findPlace.ts';
import type { Finding } from './Finding.ts';

/**
 * An endpoint runs either on a GPU or on a CPU type, so `gpu` and `cpu` cannot be combined. Without
 * either, it gets `GpuGroup.ANY`.
 *
 * ```python
 * from toolkit_sdk import Endpoint, GpuGroup
 *
 * @Endpoint(gpu=GpuGroup.ANY, cpu="cpu5c-4-8")
 * def embed(text: str):
 *     """Embed a text."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint, GpuGroup
 *
 * @Endpoint(gpu=GpuGroup.ANY)
 * def embed(text: str):
 *     """Embed a text."""
 * ```
 */
export const gpuAndCpu: Finding = {
  code: 'gpu-and-cpu',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  *find({ declarations }) {
    for (const { file, gpu, cpu, given } of declarations) {
      if (!given.gpu || !given.cpu || gpu.state === 'absent' || cpu.state === 'absent') continue;
      // A dynamic value may turn out to be None.
      if (gpu.state === 'dynamic' || cpu.state === 'dynamic') continue;
      yield {
        file,
        range: given.cpu.keywordRange,
        message: 'gpu and cpu cannot be combined.',
        related: [{ file, range: given.gpu.keywordRange, message: 'gpu is given here.' }],
        fix: 'Remove gpu or cpu.',
      };
    }
  },
  fixes: [removeOne],
};

function* removeOne(request: FixRequest): Fixes {
  const declaration = argumentAt(request)?.declaration;
  for (const keyword of ['cpu', 'gpu'] as const) {
    const argument = declaration?.given[keyword];
    if (argument && isDirect(declaration, argument)) yield removal(request.source, declaration, argument);
  }
}
