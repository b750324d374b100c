/** Small scripts for each kind of shell that run the bundled `toolkit` command on the editor's own runtime. */

export interface Program {
  /** The editor's executable, which runs as Node if `ELECTRON_RUN_AS_NODE` is set. */
  runtime: string;
  /** The command's bundle. */
  script: string;
}

/** For POSIX shells, including those on Windows. */
export function shellShim({ runtime, script }: Program): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quote(runtime)} ${quote(script)} "$@"\n`;
}

/** For cmd.exe and PowerShell. */
export function batchShim({ runtime, script }: Program): string {
  const quote = (text: string) => `"${text.replaceAll('%', '%%')}"`;
  return [
    '@echo off',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    `${quote(runtime)} ${quote(script)} %*`,
    '',
  ].join('\r\n');
}
