/** `toolkit undeploy`: removes endpoints by name, or all endpoints of an environment. */
import { ToolkitError } from '../../contract/errors.ts';
import { connect } from '../connect.ts';
import { requireConsent } from '../consent.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const all = flags['all'] === true;
  if (all === args.length > 0) {
    throw new ToolkitError(
      'USAGE',
      all
        ? '--all removes every endpoint, so it cannot be combined with names.'
        : 'undeploy needs the names of endpoints, or --all.',
      {
        hint: 'Run "toolkit undeploy NAME" or "toolkit undeploy --all". "toolkit status" shows the names.',
      },
    );
  }
  const { context, settings } = await openProject(session);
  const place = `${context.app}/${context.environment}`;
  const client = await connect(session, settings);
  const environment = await client.environment(context.app, context.environment, session.signal);
  const deployed = (environment?.endpoints ?? []).map(({ name }) => name);
  const unknown = args.filter((name) => !deployed.includes(name));
  if (unknown.length > 0) {
    throw new ToolkitError(
      'ENDPOINT_NOT_FOUND',
      `Not deployed in ${place}: ${unknown.join(', ')}; nothing was changed.`,
      {
        hint:
          deployed.length > 0 ? `Deployed endpoints: ${deployed.join(', ')}.` : 'Nothing is deployed there.',
      },
    );
  }
  const names = all ? deployed : [...new Set(args)];
  if (names.length > 0) await requireConsent(session, flags, `${names.join(', ')} from ${place}`);
  if (names.length > 0) session.report({ type: 'step', message: `Stopping ${names.join(', ')}` });
  const removed =
    names.length > 0 ? await client.undeploy(context.app, context.environment, names, session.signal) : names;
  session.result(
    { removed },
    removed.length > 0
      ? `${paint.green('✓')} Removed ${removed.join(', ')} from ${place}.`
      : `Nothing is deployed in ${place}.`,
  );
};
