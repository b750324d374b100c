/** Both `gpu` and `cpu`: one machine cannot be both. */
import { finding, type Rule } from './Finding.ts';

export const gpuAndCpu: Rule = (index) =>
  index.declarations.flatMap(({ file, gpu, cpu, given }) => {
    if (!given.gpu || !given.cpu || gpu.state === 'absent' || cpu.state === 'absent') return [];
    // A dynamic value may turn out to be None.
    if (gpu.state === 'dynamic' || cpu.state === 'dynamic') return [];
    return [
      finding('gpu-and-cpu', {
        file,
        range: given.cpu.keywordRange,
        message: 'An endpoint runs on gpu or on cpu, not on both.',
        related: [{ file, range: given.gpu.keywordRange, message: 'gpu is given here.' }],
        fix: 'Remove gpu or cpu.',
      }),
    ];
  });
