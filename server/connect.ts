/** Connects the server to the process that started it: over IPC where it is forked with one, else over stdio. */
import { createConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-languageserver/node';
import { serve } from './serve.ts';

serve(
  process.argv.includes('--node-ipc')
    ? createConnection(new IPCMessageReader(process), new IPCMessageWriter(process))
    : createConnection(process.stdin, process.stdout),
);
