import { describeFixes } from './checkFix.ts';
import { call, table } from './declarationCases.ts';

const hardware = { changes: ['hardware'] };

describeFixes('unknown-gpu', [
  call(
    'unknown-gpu',
    'writes the nearest member',
    'Change to gpu=GpuGroup.ADA_24',
    ['gpu=GpuGroup.ADA_42', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call(
    'unknown-gpu',
    'writes any',
    'Change to gpu=GpuGroup.ANY',
    ['gpu=GpuGroup.ADA_42', 'gpu=GpuGroup.ANY'],
    hardware,
  ),
  call(
    'unknown-gpu',
    'writes a member for an item',
    'Change to gpu=GpuGroup.ADA_24',
    ['gpu=GpuGroup["ADA_42"]', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  {
    shows: 'imports the other enumeration',
    code: 'unknown-gpu',
    title: 'Change to gpu=GpuType.NVIDIA_L4',
    before: {
      'a.py':
        'from toolkit_sdk import (\n    Endpoint as E,\n    GpuGroup,\n)\n@E(gpu=GpuGroup.NVIDIA_L4)\ndef a(): ...\n',
    },
    after: {
      'a.py':
        'from toolkit_sdk import (\n    GpuType, Endpoint as E,\n    GpuGroup,\n)\n@E(gpu=GpuType.NVIDIA_L4)\ndef a(): ...\n',
    },
    changes: ['hardware'],
  },
  {
    shows: "uses the file's alias",
    code: 'unknown-gpu',
    title: 'Change to gpu=G.ADA_24',
    before: {
      'a.py': 'from toolkit_sdk import Endpoint, GpuGroup as G\n@Endpoint(gpu=G.ADA_42)\ndef a(): ...\n',
    },
    after: {
      'a.py': 'from toolkit_sdk import Endpoint, GpuGroup as G\n@Endpoint(gpu=G.ADA_24)\ndef a(): ...\n',
    },
    changes: ['hardware'],
  },
  table(
    'unknown-gpu',
    'writes in TOML',
    'Change to gpu = "ADA_24"',
    [
      'name = "b"\ncommand = ["./b"]\ngpu = \'ADA_42\'\n',
      'name = "b"\ncommand = ["./b"]\ngpu = \'ADA_24\'\n',
    ],
    hardware,
  ),
]);
