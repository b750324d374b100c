/** `toolkit deploy`: Build, Upload, Provision, Configure. Prints the addresses and one curl command per kind. */

import { refuseErrors } from '../../build/refuseErrors.ts';
import type { DeployDocument } from '../../contract/cliDocuments.ts';
import type { Plan, RemoteEndpoint } from '../../contract/deployment.ts';
import { platformUrl, resolveKey } from '../../deploy/credentials.ts';
import type { DeployOptions, DeployResult } from '../../deploy/deployProject.ts';
import { fillSecrets } from '../../deploy/secrets.ts';
import type { Context } from '../../deploy/settings.ts';
import { buildRequest } from '../buildRequest.ts';
import { curlFor } from '../curl.ts';
import { type OpenProject, openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

export const handle: Handler = async ({ flags, session }) => {
  const project = await openProject(session);
  const { context, settings, reading } = project;
  await refuseKnown(project, session);
  // Loaded late: most mistakes are reported before this is needed.
  const { connect } = await import('../connect.ts');
  const client = await connect(session, settings);
  const options: DeployOptions = {
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
      if (flags['dryRun'] !== true) session.note(formatPlan(plan));
      for (const note of notes) session.note(`${paint.yellow('note')}: ${note}`);
    },
    approve: async (plan, notes) =>
      session.review
        ? session.review({ ...context, plan, notes })
        : plan.remove.length === 0 ||
          flags['yes'] === true ||
          ((await session.confirm?.(
            `Remove ${plan.remove.join(', ')} from ${context.app}/${context.environment}?`,
          )) ??
            false),
    report: session.report,
    signal: session.signal,
  };
  if (flags['dryRun'] === true) return dryRun(options, session);

  const { deployProject } = await import('../../deploy/deployProject.ts');
  const result = await deployProject(options);
  session.result(
    deployDocument(context, result),
    [
      `${paint.green('✓')} ${paint.bold(`${context.app}/${context.environment}`)} is live, build ${result.build}`,
      ...formatEndpoints(result.endpoints),
      '',
      ...(['load-balanced', 'queue'] as const).flatMap((kind) => {
        const first = result.endpoints.find((endpoint) => endpoint.kind === kind);
        return first ? [curlFor(first, reading, client.embedded)] : [];
      }),
    ].join('\n'),
  );
};

/** Reports every mistake that can be found without a platform, before one is started or contacted. */
async function refuseKnown({ reading, settings }: OpenProject, session: Session): Promise<void> {
  refuseErrors(reading);
  fillSecrets(reading.endpoints, settings);
  const url = platformUrl(settings);
  if (url !== null) resolveKey(settings, url);
  const { collectRequirements } = await import('../../build/dependencies/requirements.ts');
  await collectRequirements(reading, new Set(), session.env);
  const { findPython, onPath } = await import('../../build/dependencies/interpreter.ts');
  const { env, signal } = session;
  // If python3 is on PATH, the build checks its version: that has to start Python, which is slow.
  if (env['TOOLKIT_PYTHON'] || onPath('python3', env).length === 0)
    await findPython({ target: reading.config, toolkitHome: settings.toolkitHome, env, signal });
}

/** Prints the plan as the result. The document's other fields hold what is deployed now, which stays unchanged. */
async function dryRun(options: DeployOptions, session: Session): Promise<void> {
  const { client, context } = options;
  const { planProject } = await import('../../deploy/deployProject.ts');
  const plan = await planProject(options);
  const now = await client.environment(context.app, context.environment, session.signal);
  const endpoints = (now?.endpoints ?? []).filter(({ live }) => !live);
  session.result(
    deployDocument(context, { plan, build: now?.build ?? 0, endpoints }),
    `${formatPlan(plan)}\n\nNothing was changed: this was a dry run for ${context.app}/${context.environment}.`,
  );
}

function deployDocument(
  { app, environment }: Context,
  { build, plan, endpoints }: Pick<DeployResult, 'build' | 'plan' | 'endpoints'>,
): DeployDocument {
  const of = (kind: RemoteEndpoint['kind']): RemoteEndpoint[] =>
    endpoints.filter((endpoint) => endpoint.kind === kind);
  return {
    app,
    environment,
    build,
    plan,
    loadBalanced: of('load-balanced').map(({ name, id, url, routes }) => ({ name, id, url, routes })),
    queueBased: of('queue').map(({ name, id, url }) => ({ name, id, url })),
  };
}

function formatEndpoints(endpoints: RemoteEndpoint[]): string[] {
  const groups = [
    ['Load-balanced', 'load-balanced'],
    ['Queue-based', 'queue'],
  ] as const;
  return groups.flatMap(([heading, wanted]) => {
    const group = endpoints.filter(({ kind }) => kind === wanted);
    return group.length > 0 ? ['', paint.bold(heading), ...group.flatMap(describe)] : [];
  });
}

function describe({ name, url, routes, hardware }: RemoteEndpoint): string[] {
  return [
    `  ${name}  ${paint.cyan(url)}`,
    `    ${paint.dim(hardware)}`,
    ...routes.map((route) => `    ${route}`),
  ];
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
