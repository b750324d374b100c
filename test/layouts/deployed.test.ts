/** Some layouts are deployed and called in each run; test/long/layouts.test.ts does this for all of them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';
import { LAYOUTS } from './all.ts';
import { layoutProject, serveLayout } from './deployLayouts.ts';

describe('deployed layouts', () => {
  const bench = workbench({ after });

  for (const [at, layout] of LAYOUTS.entries()) {
    if (layout.sample) {
      it(`serves ${layout.title}`, () => serveLayout(bench, layout, `layout-${at}`));
    } else if (!layout.answers) {
      it(`deploys nothing of ${layout.title}, and exits with 1 and the location`, async () => {
        const folder = layoutProject(bench, layout, `layout-${at}`);
        const ran = await bench.toolkit(folder, ['deploy', '--app', 'layouts', '--yes', '--json']);
        assert.equal(ran.code, 1, ran.stdout);
        const { error } = ran.json<{ error: { code: string; message: string; hint: string | null } }>();
        assert.equal(error.code, 'PROJECT_HAS_ERRORS');
        const places = layout.findings!.map((found) => found.split(' ')[0]!);
        assert.ok(
          places.some((place) => error.message.includes(`${place}: `)),
          error.message,
        );
        assert.ok(error.hint);
      });
    }
  }
});
