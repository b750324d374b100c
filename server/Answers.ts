/**
 * Runs the feature that answers a request about a document, unless the request is cancelled. A fault of the server
 * affects only that answer.
 */
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { ToolkitError } from '../runtime/contract/errors.ts';
import { PROJECT_FILES } from '../runtime/contract/names.ts';
import type { DocumentContext, PythonContext } from './features/feature.ts';
import type { ServerState } from './ServerState.ts';

interface OfDocument {
  textDocument: { uri: string };
}

type Answer<Result> = Promise<Result | ResponseError>;

type Handler<Params, Result> = (params: Params, token: CancellationToken) => Answer<Result>;

/** Computes the answer to a request. */
type Feature<Context, Params, Result> = (context: Context, params: Params) => Result | Promise<Result>;

export class Answers {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** Answers requests about a document, including pyproject.toml. `none` is the empty answer. */
  by<Params extends OfDocument, Result>(
    none: Result,
    feature: Feature<DocumentContext, Params, Result>,
    mustBeCurrent = false,
  ): Handler<Params, Result> {
    return (params, token) =>
      this.about(params.textDocument.uri, token, none, (context) => feature(context, params), mustBeCurrent);
  }

  /** Answers requests about a Python document. `inTables` answers those about pyproject.toml. */
  byPython<Params extends OfDocument, Result>(
    none: Result,
    feature: Feature<PythonContext, Params, Result>,
    inTables: Feature<DocumentContext, Params, Result> = () => none,
  ): Handler<Params, Result> {
    return this.by(none, (context, params) => {
      if (context.document.file === PROJECT_FILES.pyproject) return inTables(context, params);
      const python = pythonContext(context);
      return python ? feature(python, params) : none;
    });
  }

  /**
   * Answers one request whose parameters name the document in another way.
   *
   * @param mustBeCurrent - Whether all files must be up to date, so that edits of other files fit their texts.
   */
  about<Result>(
    uri: string,
    token: CancellationToken,
    none: Result,
    feature: (context: DocumentContext) => Result | Promise<Result>,
    mustBeCurrent = false,
  ): Answer<Result> {
    return this.contained(uri, token, none, async () => {
      const context = await this.#state.context(uri, token, mustBeCurrent);
      return context ? await feature(context) : none;
    });
  }

  /** Resolves an item of an earlier answer, whose data names its document. */
  resolving<Item extends { data?: unknown }>(
    feature: Feature<DocumentContext, Item, Item>,
    mustBeCurrent = false,
  ): Handler<Item, Item> {
    return (item, token) =>
      this.about(uriIn(item.data), token, item, (context) => feature(context, item), mustBeCurrent);
  }

  /**
   * Answers a request. Reports a fault of the server under `place`; other errors fail the request with their reason.
   */
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

/** Null if the document has no readable text. */
function pythonContext(context: DocumentContext): PythonContext | null {
  const { project, document } = context;
  const text = project.textOf(document.file);
  const facts = text === null ? null : project.index.names.factsOf(document.file);
  return text === null || !facts ? null : { ...context, document: { ...document, text, facts } };
}

function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}

function refusal({ message, hint }: ToolkitError): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, [message, hint].filter(Boolean).join(' '));
}

/** The URI of the document that an item to resolve belongs to; empty if it has none. */
function uriIn(data: unknown): string {
  const has = typeof data === 'object' && data !== null && 'uri' in data && typeof data.uri === 'string';
  return has ? (data.uri as string) : '';
}
