/** How requests are answered: for the document they are about, to their end or not at all, a fault costing one answer. */
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { ToolkitError } from '../runtime/contract/errors.ts';
import { PROJECT_FILES } from '../runtime/contract/names.ts';
import type { FeatureContext, PlaceContext } from './features/feature.ts';
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

  /** As `by`, with another feature for pyproject.toml, which is no Python and need not be open. */
  byKind<Params extends OfDocument, Result>(
    none: Result,
    features: {
      python: (context: FeatureContext, params: Params) => Result;
      tables: (context: PlaceContext, params: Params) => Result;
    },
  ): (params: Params, token: CancellationToken) => Answer<Result> {
    const ofPython = this.by(none, features.python);
    return (params, token) => {
      const { uri } = params.textDocument;
      if (this.#state.workspace.placeOf(uri)?.file !== PROJECT_FILES.pyproject)
        return ofPython(params, token);
      return this.aboutPlace(uri, token, none, (context) => features.tables(context, params));
    };
  }

  /** Answers one request that needs no open document. */
  aboutPlace<Result>(
    uri: string,
    token: CancellationToken,
    none: Result,
    feature: (context: PlaceContext) => Result | Promise<Result>,
  ): Answer<Result> {
    return this.contained(uri, token, none, async () => {
      const context = await this.#state.placeContext(uri, token);
      return context ? await feature(context) : none;
    });
  }

  /** As `by`, once all files are read as they are now: edits of other files must fit their texts. */
  whenCurrent<Params extends OfDocument, Result>(
    none: Result,
    feature: (context: FeatureContext, params: Params) => Result | Promise<Result>,
  ): (params: Params, token: CancellationToken) => Answer<Result> {
    return (params, token) =>
      this.about(params.textDocument.uri, token, none, (context) => feature(context, params), true);
  }

  /** Answers one request about a document that its parameters name in some other way. */
  about<Result>(
    uri: string,
    token: CancellationToken,
    none: Result,
    feature: (context: FeatureContext) => Result | Promise<Result>,
    mustBeCurrent = false,
  ): Answer<Result> {
    return this.contained(uri, token, none, async () => {
      const context = await this.#state.context(uri, token, mustBeCurrent);
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
      const answer = await work();
      return token.isCancellationRequested ? cancelled() : answer;
    } catch (error) {
      if (token.isCancellationRequested) return cancelled();
      if (error instanceof ResponseError) return error;
      if (error instanceof ToolkitError && error.code !== 'INTERNAL') return refusal(error);
      this.#state.fault(place, error);
      return none;
    }
  }
}

function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}

function refusal({ message, hint }: ToolkitError): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, [message, hint].filter(Boolean).join(' '));
}

/** The document that an item to be resolved is of. */
export function uriIn(data: unknown): string {
  const has = typeof data === 'object' && data !== null && 'uri' in data && typeof data.uri === 'string';
  return has ? (data.uri as string) : '';
}
