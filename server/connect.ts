/** Connects the server to the process that started it: over IPC with `--node-ipc`, else over stdio. */
import { createConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-languageserver/node';
import { Lifecycle } from './Lifecycle.ts';
import { serve } from './serve.ts';

const options = { messageStrategy: new Lifecycle() };

serve(
  process.argv.includes('--node-ipc')
    ? createConnection(new IPCMessageReader(process), new IPCMessageWriter(process), options)
    : createConnection(process.stdin, process.stdout, options),
);
