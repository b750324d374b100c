/** The names that toolkit_sdk exports, for completion and hover. */
import { CompletionItemKind } from 'vscode-languageserver';

export const SDK_TEXTS: Record<string, { kind: CompletionItemKind; documentation: string }> = {
  Endpoint: {
    kind: CompletionItemKind.Class,
    documentation: 'Declares a serverless endpoint: a decorator on one function, or an instance with routes.',
  },
  GpuGroup: { kind: CompletionItemKind.Enum, documentation: 'Groups of GPUs that can serve an endpoint.' },
  GpuType: { kind: CompletionItemKind.Enum, documentation: 'GPU models.' },
  CpuInstanceType: { kind: CompletionItemKind.Enum, documentation: 'CPU-only instances.' },
  RemoteError: {
    kind: CompletionItemKind.Class,
    documentation:
      "Raised when a function failed on its endpoint. Its text includes the worker's stack frames.",
  },
  CallError: {
    kind: CompletionItemKind.Class,
    documentation: 'Raised when a call could not be made or got no response from the function.',
  },
  CallTimeoutError: {
    kind: CompletionItemKind.Class,
    documentation: 'Raised when the caller timed out. The job itself continues.',
  },
  progress: {
    kind: CompletionItemKind.Function,
    documentation:
      'Shows a value as the `output` of the running job until the job ends. At most four values per second are sent; the last value is always sent. Outside a job it does nothing.',
  },
};
