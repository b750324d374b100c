/** How requests are answered: for the document they are about, to their end or not at all, a fault costing one answer. */
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

/** What answers a request. */
type Feature<Context, Params, Result> = (context: Context, params: Params) => Result | Promise<Result>;

export class Answers {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** Answers requests about a document, which may be pyproject.toml; `none` where there is nothing to say. */
  by<Params extends OfDocument, Result>(
    none: Result,
    feature: Feature<DocumentContext, Params, Result>,
    mustBeCurrent = false,
  ): Handler<Params, Result> {
    return (params, token) =>
      this.about(params.textDocument.uri, token, none, (context) => feature(context, params), mustBeCurrent);
  }

  /** Answers requests about a Python document; `inTables` answers those about pyproject.toml. */
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
   * Answers one request about a document that its parameters name in some other way.
   *
   * @param mustBeCurrent - Whether all files must be read as they are now: edits of other files must fit their texts.
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

  /** Completes an item that was given out before, which names its document in its data. */
  resolving<Item extends { data?: unknown }>(
    feature: Feature<DocumentContext, Item, Item>,
    mustBeCurrent = false,
  ): Handler<Item, Item> {
    return (item, token) =>
      this.about(uriIn(item.data), token, item, (context) => feature(context, item), mustBeCurrent);
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

/** Null where the document has no text that can be read. */
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

/** The document that an item to be resolved is of. */
function uriIn(data: unknown): string {
  const has = typeof data === 'object' && data !== null && 'uri' in data && typeof data.uri === 'string';
  return has ? (data.uri as string) : '';
}
