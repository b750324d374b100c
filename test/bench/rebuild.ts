/**
 * A build after a one-line change, with about 300 MB of unchanged dependencies, over `tar czf` of the same
 * tree.
 */
import path from 'node:path';
import { withDependencies } from './dependencyProject.ts';
import { command, compare } from './measure.ts';

await withDependencies(['pandas', 'pyarrow', 'scipy'], async (project) => {
  const tree = project.tree();
  process.stdout.write(`dependencies: ${project.megabytes().toFixed(0)} MB unpacked\n`);
  await compare(
    'code-only rebuild / tar czf',
    0.02,
    { name: 'toolkit build', prepare: project.edit, run: project.build },
    {
      name: 'tar czf',
      run: () => command('tar', ['czf', path.join(project.folder, 'tree.tar.gz'), '-C', tree, '.']),
    },
    5,
  );
});
