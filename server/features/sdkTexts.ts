/** The names that toolkit_sdk exports, as completion and hover describe them. */
import { CompletionItemKind } from 'vscode-languageserver';

export const SDK_TEXTS: Record<string, { kind: CompletionItemKind; documentation: string }> = {
  Endpoint: {
    kind: CompletionItemKind.Class,
    documentation: 'Declares a serverless endpoint: a decorator on one function, or an instance with routes.',
  },
  GpuGroup: { kind: CompletionItemKind.Enum, documentation: 'Groups of GPUs that may serve an endpoint.' },
  GpuType: { kind: CompletionItemKind.Enum, documentation: 'Models of GPU.' },
  CpuInstanceType: { kind: CompletionItemKind.Enum, documentation: 'CPU-only instances.' },
  RemoteError: {
    kind: CompletionItemKind.Class,
    documentation: 'Raised when a function failed on its endpoint; its text has the frames of the worker.',
  },
  CallError: {
    kind: CompletionItemKind.Class,
    documentation: 'Raised when a call could not be made, or got no answer of the function.',
  },
  CallTimeoutError: {
    kind: CompletionItemKind.Class,
    documentation: "Raised when the caller's patience ended; the job itself goes on.",
  },
  progress: {
    kind: CompletionItemKind.Function,
    documentation:
      'Shows a value as the `output` of the running job until the job ends. At most four values a second are sent, and the last one always wins. Outside of a job it does nothing.',
  },
};
