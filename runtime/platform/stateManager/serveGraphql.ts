/** Serves the contract's schema; errors carry code and hint, faults of ours are masked and logged. */
import { buildSchema, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { PLATFORM_LIMITS } from '../../contract/limits.ts';
import { STATE_MANAGER_SCHEMA } from '../../contract/stateManager.ts';
import { masked } from '../http/sendError.ts';
import type { Log } from '../log.ts';
import type { RequestContext } from './places.ts';
import { createResolvers, type StateManager } from './resolvers.ts';

/** Answers a request's body with JSON. */
export type GraphqlHandler = (body: Buffer, context: RequestContext) => Promise<string>;

const requestSchema = z.object({
  query: z.string(),
  variables: z.nullish(z.record(z.string(), z.unknown())),
  operationName: z.nullish(z.string()),
});
type GraphqlRequest = z.infer<typeof requestSchema>;

/** Executes queries with graphql-js alone: a server around it takes 15 MB of an idle platform. */
export function createGraphqlHandler(state: StateManager, log: Log): GraphqlHandler {
  const schema = executableSchema(createResolvers(state));
  return async (body, context) => {
    const { data, errors } = await answer(schema, readRequest(body), context);
    return JSON.stringify({ data, errors: errors?.map((error) => published(error, log)) });
  };
}

/** The contract's schema; fields without a resolver are read from their object. */
function executableSchema({ Query, Mutation }: ReturnType<typeof createResolvers>): GraphQLSchema {
  const schema = buildSchema(STATE_MANAGER_SCHEMA);
  for (const [type, resolvers] of [
    [schema.getQueryType(), Query],
    [schema.getMutationType(), Mutation],
  ] as const) {
    for (const [name, resolve] of Object.entries(resolvers)) type!.getFields()[name]!.resolve = resolve;
  }
  return schema;
}

/** @throws ToolkitError BAD_REQUEST */
function readRequest(body: Buffer): GraphqlRequest {
  const request = requestSchema.safeParse(parsed(body));
  if (!request.success) {
    throw new ToolkitError('BAD_REQUEST', 'The body is not a GraphQL request.', {
      hint: 'Send {"query": "…", "variables": {…}}.',
    });
  }
  const most = PLATFORM_LIMITS.graphqlQueryCharacters;
  // Any key may ask, a worker's too: nobody's query may keep the platform from answering the others.
  if (request.data.query.length > most) {
    throw new ToolkitError('BAD_REQUEST', `The query has more than ${most} characters.`, {
      hint: 'Pass data as variables.',
    });
  }
  return request.data;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    // No request of GraphQL either.
    return null;
  }
}

async function answer(schema: GraphQLSchema, request: GraphqlRequest, contextValue: RequestContext) {
  const { query, variables: variableValues, operationName } = request;
  try {
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    return await execute({ schema, document, variableValues, operationName, contextValue });
  } catch (error) {
    // A query that is not GraphQL.
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** What a client sees of an error. One of GraphQL itself, such as an unknown field, shows what is wrong with the query. */
function published(error: GraphQLError, log: Log): GraphQLError {
  const { originalError } = error;
  // A variable of a wrong type is an error within one.
  if (!originalError || originalError instanceof GraphQLError) return error;
  const { message, code, hint } =
    originalError instanceof ToolkitError ? originalError : masked(originalError, log);
  return new GraphQLError(message, { extensions: { code, hint } });
}
