/** `toolkit deploy`: Build, Upload, Provision, Configure; ends with the addresses and a curl per kind. */

import { refuseErrors } from '../../build/refuseErrors.ts';
import type { Plan, RemoteEndpoint } from '../../contract/deployment.ts';
import { deployProject } from '../../deploy/deployProject.ts';
import { confirm } from '../ask.ts';
import { buildRequest } from '../buildRequest.ts';
import { connect } from '../connect.ts';
import { curlFor } from '../curl.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import { type Handler, textFlag } from '../session.ts';

export const handle: Handler = async ({ flags, session }) => {
  const project = await openProject(session);
  const { context, settings, reading } = project;
  // A mistake in the code is told before a platform is started for it.
  refuseErrors(reading);
  const client = await connect(session, settings);
  const result = await deployProject({
    client,
    context,
    settings,
    build: buildRequest(project, session, {
      exclude: textFlag(flags, 'exclude'),
      keepBuild: false,
      output: null,
      upgrade: false,
    }),
    showPlan: (plan, notes) => {
      session.note(formatPlan(plan));
      for (const note of notes) session.note(`${paint.yellow('note')}: ${note}`);
    },
    confirmRemoval: async (plan) =>
      flags['yes'] === true ||
      (session.interactive &&
        (await confirm(`Remove ${plan.remove.join(', ')} from ${context.app}/${context.environment}?`))),
    report: session.report,
    signal: session.signal,
  });

  const of = (kind: RemoteEndpoint['kind']): RemoteEndpoint[] =>
    result.endpoints.filter((endpoint) => endpoint.kind === kind);
  const loadBalanced = of('load-balanced');
  const queueBased = of('queue');
  session.result(
    {
      app: context.app,
      environment: context.environment,
      build: result.build,
      plan: result.plan,
      loadBalanced: loadBalanced.map(({ name, id, url, routes }) => ({ name, id, url, routes })),
      queueBased: queueBased.map(({ name, id, url }) => ({ name, id, url })),
    },
    [
      `${paint.green('✓')} ${paint.bold(`${context.app}/${context.environment}`)} is live, build ${result.build}`,
      ...(loadBalanced.length > 0
        ? ['', paint.bold('Load-balanced'), ...loadBalanced.flatMap(describe)]
        : []),
      ...(queueBased.length > 0 ? ['', paint.bold('Queue-based'), ...queueBased.flatMap(describe)] : []),
      '',
      ...[loadBalanced[0], queueBased[0]].flatMap((endpoint) =>
        endpoint ? [curlFor(endpoint, reading, client.embedded)] : [],
      ),
    ].join('\n'),
  );
};

function describe({ name, url, routes, hardware }: RemoteEndpoint): string[] {
  return [`  ${name}  ${paint.cyan(url)}  ${paint.dim(hardware)}`, ...routes.map((route) => `    ${route}`)];
}

function formatPlan(plan: Plan): string {
  const lines = [
    ...plan.create.map((name) => `${paint.green('+')} ${name}`),
    ...plan.update.map(({ name, reasons }) => `${paint.yellow('~')} ${name} (${reasons.join(', ')})`),
    ...plan.remove.map((name) => `${paint.red('-')} ${name}`),
    ...plan.unchanged.map((name) => paint.dim(`= ${name}`)),
  ];
  return ['Plan', ...lines.map((line) => `  ${line}`)].join('\n');
}
