/**
 * A first build with the lock and the wheels available, about 130 MB of dependencies, over `uv pip install
 * --target` and `tar czf`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { uvOf, withDependencies } from './dependencyProject.ts';
import { command, compare } from './measure.ts';

/** The locked packages in the artifact, so that both sides install the same. */
const LIST = `
import importlib.metadata, sys
for d in importlib.metadata.distributions(path=[sys.argv[1]]):
    print(f"{d.name}=={d.version}")`;
const PACKAGES = ['requests', 'fastapi', 'pydantic', 'pillow', 'pandas', 'matplotlib', 'lxml', 'babel'];

await withDependencies(PACKAGES, async (project) => {
  process.stdout.write(`dependencies: ${project.megabytes().toFixed(0)} MB unpacked\n`);
  const uv = uvOf(project);
  const target = path.join(project.folder, 'target');
  const shipped = path.join(project.tree(), '_toolkit/dependencies/all');
  const versions = execFileSync('python3', ['-c', LIST, shipped], { encoding: 'utf8' }).trim().split('\n');
  const env = {
    ...process.env,
    UV_CACHE_DIR: path.join(project.folder, 'uv-cache'),
    UV_LINK_MODE: 'copy',
    // The machine's own certificate authorities count too, like for pip.
    UV_SYSTEM_CERTS: 'true',
  };
  const platform = [
    '--python-version',
    '3.11',
    '--python-platform',
    'x86_64-manylinux_2_28',
    '--only-binary',
    ':all:',
  ];
  const install = () =>
    command(uv, ['pip', 'install', '--quiet', '--no-deps', ...platform, '--target', target, ...versions], {
      env,
    });
  const forgetInstall = () => rmSync(target, { recursive: true, force: true });
  const forgetPart = () => {
    rmSync(path.join(project.cache, 'parts'), { recursive: true, force: true });
    mkdirSync(path.join(project.cache, 'parts'));
  };
  const ours = { name: 'toolkit build', prepare: forgetPart, run: project.build };
  await compare(
    'first build / uv pip install',
    0.6,
    ours,
    { name: 'uv pip install --target', prepare: forgetInstall, run: install },
    5,
  );
  await compare(
    'first build / uv pip install + tar czf',
    0.1,
    ours,
    {
      name: 'uv pip install --target, tar czf',
      prepare: forgetInstall,
      run: () => {
        install();
        command('tar', ['czf', path.join(project.folder, 'target.tar.gz'), '-C', target, '.']);
      },
    },
    5,
  );
});
