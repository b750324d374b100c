/** Serves the contract's schema over graphql-yoga; errors carry code and hint, faults of ours are masked and logged. */
import { GraphQLError } from 'graphql';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { ToolkitError } from '../../contract/errors.ts';
import { PLATFORM_LIMITS } from '../../contract/limits.ts';
import { GRAPHQL_PATH, STATE_MANAGER_SCHEMA } from '../../contract/stateManager.ts';
import { masked } from '../http/sendError.ts';
import type { Log } from '../log.ts';
import type { RequestContext } from './places.ts';
import { createResolvers, type StateManager } from './resolvers.ts';

export type GraphqlHandler = (
  body: Buffer,
  context: RequestContext,
) => Promise<{ status: number; type: string; body: string }>;

export function createGraphqlHandler(state: StateManager, log: Log): GraphqlHandler {
  const yoga = createYoga<RequestContext>({
    schema: createSchema({ typeDefs: STATE_MANAGER_SCHEMA, resolvers: createResolvers(state) }),
    graphqlEndpoint: GRAPHQL_PATH,
    graphiql: false,
    landingPage: false,
    logging: false,
    plugins: [shortQueries],
    maskedErrors: { maskError: (error) => tellError(error, log) },
  });
  return async (body, context) => {
    // JSON is taken whatever Content-Type a client sends.
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    // Only the path counts: the request never leaves this process.
    const answer = await yoga.fetch(
      `http://localhost${GRAPHQL_PATH}`,
      { method: 'POST', headers, body: new Uint8Array(body) },
      context,
    );
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? 'application/json',
      body: await answer.text(),
    };
  };
}

/** Any key may ask, a worker's too: nobody's query may keep the platform from answering the others. */
const shortQueries: Plugin = {
  onParams({ params }) {
    const most = PLATFORM_LIMITS.graphqlQueryCharacters;
    if ((params.query?.length ?? 0) <= most) return;
    throw new GraphQLError(`The query has more than ${most} characters.`, {
      extensions: { code: 'BAD_REQUEST', hint: 'Pass data as variables.', http: { status: 400 } },
    });
  },
};

function tellError(error: unknown, log: Log): Error {
  const original = error instanceof GraphQLError ? error.originalError : error;
  // An error of GraphQL itself (syntax, unknown field) tells the client what is wrong with its query.
  if (error instanceof GraphQLError && !original) return error;
  const known = original instanceof ToolkitError ? original : masked(original, log);
  return new GraphQLError(known.message, { extensions: { code: known.code, hint: known.hint } });
}
