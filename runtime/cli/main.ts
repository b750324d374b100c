#!/usr/bin/env node
/** The command's entry: refuses an old Node, answers `--version` at once, and hands everything else to run.ts. */
import { VERSION } from './version.ts';

const NODE_NEEDED = [22, 15] as const;

// The shim of an editor's terminal sets it for this process alone: what is started from here must not have it.
delete process.env['ELECTRON_RUN_AS_NODE'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);

if (major < NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor < NODE_NEEDED[1])) {
  const message = `The toolkit needs Node ${NODE_NEEDED.join('.')} or newer; this is Node ${process.versions.node}.`;
  const hint = 'Install the current release from nodejs.org, or run it through "npx -p node@24 node".';
  if (args.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'NODE_TOO_OLD', message, hint } })}\n`);
  }
  process.stderr.write(`error: ${message} ${hint}\n`);
  process.exitCode = 2;
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  // Compiling the toolkit's own code takes a tenth of a short command. Where the cache cannot be kept, nothing else
  // changes. An old Node has none of this, so it is not imported above.
  const { toolkitHome } = await import('../source/toolkitHome.ts');
  process.getBuiltinModule('node:module').enableCompileCache(`${toolkitHome(process.env)}/cache/compile`);
  const { run } = await import('./run.ts');
  // Open sockets of a pool or a child that keeps running must not hold the command: it ends when it is done.
  process.exit(await run(args));
}
