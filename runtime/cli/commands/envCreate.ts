/** `toolkit env create NAME`: creates an environment without endpoints. */
import { createEnvironment } from '../../deploy/apps.ts';
import { environmentDocument } from '../appDocuments.ts';
import { connect } from '../connect.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import { requireName } from '../requireName.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, session }) => {
  const name = requireName('environment', args[0]!);
  const { context, settings } = await openProject(session);
  const client = await connect(session, settings);
  const made = await createEnvironment(client, context.app, name, session.signal);
  session.result(
    [environmentDocument(made)],
    `${paint.green('✓')} Created the environment ${context.app}/${name}.`,
  );
};
