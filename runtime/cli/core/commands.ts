/** The commands that an editor can call: some of the CLI's, and some for programs only. */
import type { CoreCommand } from '../../contract/coreMessages.ts';
import type { Handler } from '../session.ts';

export const CORE_COMMANDS: Record<CoreCommand, () => Promise<{ handle: Handler }>> = {
  init: () => import('../commands/init.ts'),
  build: () => import('../commands/build.ts'),
  deploy: () => import('../commands/deploy.ts'),
  undeploy: () => import('../commands/undeploy.ts'),
  'env list': () => import('../commands/envList.ts'),
  'sdk install': () => import('../commands/sdkInstall.ts'),
  logs: () => import('../commands/logs.ts'),
  deployed: () => import('./deployed.ts'),
  pending: () => import('./pending.ts'),
  'dev records': () => import('./devRecords.ts'),
  account: () => import('./account.ts'),
};
