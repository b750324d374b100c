import { describeFixes } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

const hardware = { changes: ['hardware'] };

describeFixes('gpu-and-cpu', [
  call(
    'gpu-and-cpu',
    'removes cpu',
    'Remove cpu',
    ['gpu=GpuGroup.ANY, cpu="cpu5c-4-8"', 'gpu=GpuGroup.ANY'],
    hardware,
  ),
  call(
    'gpu-and-cpu',
    'removes gpu',
    'Remove gpu',
    ['gpu=GpuGroup.ANY, cpu="cpu5c-4-8"', 'cpu="cpu5c-4-8"'],
    hardware,
  ),
  call(
    'gpu-and-cpu',
    'removes an argument with its line',
    'Remove cpu',
    ['\n    gpu=GpuGroup.ANY,\n    cpu="cpu5c-4-8"\n', '\n    gpu=GpuGroup.ANY,\n'],
    hardware,
  ),
  table(
    'gpu-and-cpu',
    'removes in TOML',
    'Remove gpu',
    [
      'name = "b"\ngpu = "ANY"\ncpu = "cpu5c-4-8"\ncommand = ["./b"]\n',
      'name = "b"\ncpu = "cpu5c-4-8"\ncommand = ["./b"]\n',
    ],
    hardware,
  ),
]);
