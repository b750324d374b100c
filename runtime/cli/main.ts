#!/usr/bin/env node
/** Entry of the CLI: rejects an old Node, answers `--version` at once, and leaves everything else to run.ts. */
import { VERSION } from './version.ts';

const NODE_NEEDED = [22, 15] as const;

// The editor terminal's shim sets this variable for this process only; child processes must not inherit it.
delete process.env['ELECTRON_RUN_AS_NODE'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);

if (major < NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor < NODE_NEEDED[1])) {
  const message = `The toolkit needs Node ${NODE_NEEDED.join('.')} or newer; this is Node ${process.versions.node}.`;
  const hint = `Install the current release of Node from nodejs.org, or run "npx -p node@24 node ${process.argv[1]}" instead of "toolkit".`;
  if (args.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'NODE_TOO_OLD', message, hint } })}\n`);
  }
  process.stderr.write(`error: ${message} ${hint}\n`);
  process.exitCode = 2;
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  // Compiling the toolkit's code takes a tenth of a short command's time. If the cache cannot be written, nothing else
  // changes. Imported here because an old Node lacks these features.
  const { toolkitHome } = await import('../source/toolkitHome.ts');
  process.getBuiltinModule('node:module').enableCompileCache(`${toolkitHome(process.env)}/cache/compile`);
  const { run } = await import('./run.ts');
  // Exit explicitly: open sockets or a child that keeps running must not keep the command alive.
  process.exit(await run(args));
}
