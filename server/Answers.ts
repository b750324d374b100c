/** How requests are answered: for the document they are about, to their end or not at all, a fault costing one answer. */
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { ToolkitError } from '../runtime/contract/errors.ts';
import type { FeatureContext } from './features/feature.ts';
import type { ServerState } from './ServerState.ts';

interface OfDocument {
  textDocument: { uri: string };
}

type Answer<Result> = Promise<Result | ResponseError>;

export class Answers {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** Answers requests about a document by a feature; `none` where it has nothing to say. */
  by<Params extends OfDocument, Result>(
    none: Result,
    feature: (context: FeatureContext, params: Params) => Result | Promise<Result>,
  ): (params: Params, token: CancellationToken) => Answer<Result> {
    return (params, token) =>
      this.about(params.textDocument.uri, token, none, (context) => feature(context, params));
  }

  /** Answers one request about a document that its parameters name in some other way. */
  about<Result>(
    uri: string,
    token: CancellationToken,
    none: Result,
    feature: (context: FeatureContext) => Result | Promise<Result>,
  ): Answer<Result> {
    return this.contained(uri, token, none, async () => {
      const context = await this.#state.context(uri, token);
      return context ? await feature(context) : none;
    });
  }

  /** Answers a request about a place; what the user asked for and cannot be is refused with its reason. */
  async contained<Result>(
    place: string,
    token: CancellationToken,
    none: Result,
    work: () => Promise<Result>,
  ): Answer<Result> {
    try {
      return await work();
    } catch (error) {
      if (token.isCancellationRequested)
        return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
      if (error instanceof ToolkitError && error.code !== 'INTERNAL') return refusal(error);
      this.#state.fault(place, error);
      return none;
    }
  }
}

function refusal({ message, hint }: ToolkitError): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, [message, hint].filter(Boolean).join(' '));
}

/** The document that an item to be resolved is of. */
export function uriIn(data: unknown): string {
  const has = typeof data === 'object' && data !== null && 'uri' in data && typeof data.uri === 'string';
  return has ? (data.uri as string) : '';
}
