/**
 * Serves the contract's GraphQL schema. Errors contain code and hint; unexpected errors are masked and
 * logged.
 */
import { buildSchema, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { PLATFORM_LIMITS } from '../../contract/limits.ts';
import { STATE_MANAGER_SCHEMA } from '../../contract/stateManager.ts';
import { masked } from '../http/sendError.ts';
import type { Log } from '../log.ts';
import type { RequestContext } from './appsAndEnvironments.ts';
import { createResolvers, type StateManager } from './resolvers.ts';

/** Responds to the body of a request with JSON. */
export type GraphqlHandler = (body: Buffer, context: RequestContext) => Promise<string>;

const requestSchema = z.object({
  query: z.string(),
  variables: z.nullish(z.record(z.string(), z.unknown())),
  operationName: z.nullish(z.string()),
});
type GraphqlRequest = z.infer<typeof requestSchema>;

/** Executes queries with graphql-js alone. A GraphQL server would add 15 MB to an idle platform. */
export function createGraphqlHandler(state: StateManager, log: Log): GraphqlHandler {
  const schema = executableSchema(createResolvers(state));
  return async (body, context) => {
    const { data, errors } = await answer(schema, readRequest(body), context);
    return JSON.stringify({ data, errors: errors?.map((error) => published(error, log)) });
  };
}

/** The contract's schema. Fields without a resolver are read from their object. */
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
  // Any key can send queries, even a worker's. No query may block the platform for others.
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
    // Not a GraphQL request either.
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
    // The query is not valid GraphQL.
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/**
 * The error that a client sees. An error of GraphQL itself, such as an unknown field, says what is wrong with
 * the query.
 */
function published(error: GraphQLError, log: Log): GraphQLError {
  const { originalError } = error;
  // For a variable of the wrong type, the original error is a GraphQLError too.
  if (!originalError || originalError instanceof GraphQLError) return error;
  const { message, code, hint } =
    originalError instanceof ToolkitError ? originalError : masked(originalError, log);
  return new GraphQLError(message, { extensions: { code, hint } });
}
