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

type Handler<Params, Result> = (params: Params, token: CancellationToken) => Answer<Result>;

export class Answers {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** Answers requests about a Python document by a feature; `none` where it has nothing to say. */
  by<Params extends OfDocument, Result>(
    none: Result,
    feature: (context: FeatureContext, params: Params) => Result | Promise<Result>,
  ): Handler<Params, Result> {
    return (params, token) => {
      const { uri } = params.textDocument;
      return this.contained(uri, token, none, async () => {
        const context = await this.#state.context(uri, token);
        return context ? await feature(context, params) : none;
      });
    };
  }

  /** Answers requests about a document that may be pyproject.toml too. */
  byPlace<Params extends OfDocument, Result>(
    none: Result,
    feature: (context: PlaceContext, params: Params) => Result | Promise<Result>,
  ): Handler<Params, Result> {
    return (params, token) =>
      this.aboutPlace(params.textDocument.uri, token, none, (context) => feature(context, params));
  }

  /** As `by`, with another feature for pyproject.toml, which is not Python. */
  byKind<Params extends OfDocument, Result>(
    none: Result,
    features: {
      python: (context: FeatureContext, params: Params) => Result;
      tables: (context: PlaceContext, params: Params) => Result;
    },
  ): Handler<Params, Result> {
    const ofPython = this.by(none, features.python);
    const ofTables = this.byPlace(none, features.tables);
    return (params, token) => {
      const place = this.#state.workspace.placeOf(params.textDocument.uri);
      return (place?.file === PROJECT_FILES.pyproject ? ofTables : ofPython)(params, token);
    };
  }

  /** Answers one request about a document that its parameters name in some other way. */
  aboutPlace<Result>(
    uri: string,
    token: CancellationToken,
    none: Result,
    feature: (context: PlaceContext) => Result | Promise<Result>,
    mustBeCurrent = false,
  ): Answer<Result> {
    return this.contained(uri, token, none, async () => {
      const context = await this.#state.placeContext(uri, token, mustBeCurrent);
      return context ? await feature(context) : none;
    });
  }

  /** As `byPlace`, once all files are read as they are now: edits of other files must fit their texts. */
  whenCurrent<Params extends OfDocument, Result>(
    none: Result,
    feature: (context: PlaceContext, params: Params) => Result | Promise<Result>,
  ): Handler<Params, Result> {
    return (params, token) =>
      this.aboutPlace(params.textDocument.uri, token, none, (context) => feature(context, params), true);
  }

  /** Completes an item that was given out before, which names its document in its data. */
  resolving<Item extends { data?: unknown }>(
    feature: (context: PlaceContext, item: Item) => Item | Promise<Item>,
    mustBeCurrent = false,
  ): Handler<Item, Item> {
    return (item, token) =>
      this.aboutPlace(uriIn(item.data), token, item, (context) => feature(context, item), mustBeCurrent);
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
function uriIn(data: unknown): string {
  const has = typeof data === 'object' && data !== null && 'uri' in data && typeof data.uri === 'string';
  return has ? (data.uri as string) : '';
}
