import { describeFixes } from './checkFix.ts';

const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint';

const written = (value: string) => ({ 'a.py': `${SDK}\n@Endpoint(name="a", cpu=${value})\ndef a(): ...\n` });

describeFixes('normalise-cpu', [
  ...[
    ['without its prefix', '"5c-4-8"', '"cpu5c-4-8"'],
    ['in capitals and single quotes', "'CPU5C-4-8'", "'cpu5c-4-8'"],
    ['with other signs between', '"cpu5c_4_8"', '"cpu5c-4-8"'],
    ['with a unit', '"cpu5c-4-8GB"', '"cpu5c-4-8"'],
  ].map(([shows, from, to]) => ({
    shows: `writes the form ${shows}`,
    code: 'invalid-cpu' as const,
    title: 'Change cpu to "cpu5c-4-8"',
    before: written(from!),
    after: written(to!),
    changes: ['hardware'],
  })),
  {
    shows: 'writes the nearest known form for an unknown one',
    code: 'unknown-cpu',
    title: 'Change cpu to "cpu5c-4-8"',
    before: written('"cpu5c-4-9"'),
    after: written('"cpu5c-4-8"'),
    changes: ['hardware'],
  },
  {
    shows: 'writes the nearest member, in the same notation',
    code: 'invalid-cpu',
    title: 'Change to CpuInstanceType.CPU5C_4_8',
    before: written('CpuInstanceType.CPU5C_4_9'),
    after: written('CpuInstanceType.CPU5C_4_8'),
    changes: ['hardware'],
  },
  {
    shows: 'replaces a constant by its value where it is used',
    code: 'invalid-cpu',
    title: 'Change cpu to "cpu5c-4-8"',
    before: { 'a.py': `${SDK}\nCPU = "5c-4-8"\n@Endpoint(name="é", cpu=CPU)  # ünï\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\nCPU = "5c-4-8"\n@Endpoint(name="é", cpu="cpu5c-4-8")  # ünï\ndef a(): ...\n` },
    changes: ['hardware'],
  },
  {
    shows: 'writes the form in pyproject.toml',
    code: 'invalid-cpu',
    title: 'Change cpu to "cpu5c-4-8"',
    before: {
      'pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "a"\ncommand = ["./a"]\ncpu = "5c-4-8" # small\n',
    },
    after: {
      'pyproject.toml':
        '[[tool.toolkit.endpoints]]\nname = "a"\ncommand = ["./a"]\ncpu = "cpu5c-4-8" # small\n',
    },
    changes: ['hardware'],
  },
]);
