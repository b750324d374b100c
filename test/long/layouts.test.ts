import { after, describe, it } from 'node:test';
import { LAYOUTS } from '../layouts/all.ts';
import { serveLayout } from '../layouts/deployLayouts.ts';
import { workbench } from '../setup/toolkit.ts';

describe('all layouts, deployed', () => {
  const bench = workbench({ after });

  for (const [at, layout] of LAYOUTS.entries()) {
    if (!layout.answers) continue;
    it(`serves ${layout.title}`, () => serveLayout(bench, layout, `layout-${at}`));
  }
});
