import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { codesOf } from './problem-codes.ts';
import { Problem } from './problem.ts';

type JsonSchema = Record<string, unknown>;

/** What a caller writes, and what the server answers, differ where a contract converts. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

const reasons: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'Done' };

function security({ callers }: Endpoint): object[] {
  if (callers === 'anyone') return [];
  const account = callers.includes('user') || callers.includes('api_key') ? [{ account: [] }] : [];
  const project = callers.includes('project_key') ? [{ project: [] }] : [];
  return [...account, ...project];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 24 hours the same key gets the same answer again, with `idempotent-replayed: true`',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function parameters(endpointOf: Endpoint): object[] {
  const places = [
    ['path', endpointOf.params],
    ['query', endpointOf.query],
    ['header', endpointOf.headers],
  ] as const;
  const own = places.flatMap(([place, schema]) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || !z.safeParse(field as z.ZodType, undefined).success,
      schema: schemaOf(field as z.ZodType, 'input'),
    })),
  );
  return endpointOf.idempotency ? [...own, idempotencyKey] : own;
}

function responses(endpointOf: Endpoint): object {
  const { response, produces } = endpointOf;
  const answers = Object.entries(response).map(([status, schema]) => {
    const description = reasons[Number(status)] ?? status;
    if (!schema) return [status, { description }];
    return [
      status,
      { description, content: { [produces ?? 'application/json']: { schema: schemaOf(schema, 'output') } } },
    ];
  });
  const codes = codesOf(endpointOf);
  const problem = {
    description: codes.length > 0 ? `A problem; besides those of every request: ${codes.join(', ')}` : 'A problem',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  return { ...Object.fromEntries(answers), default: problem };
}

function requestBody({ body, consumes }: Endpoint): object {
  if (consumes) return { requestBody: { required: true, content: { [consumes]: { schema: { type: 'string' } } } } };
  if (!body) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } };
}

function operation(endpointOf: Endpoint): object {
  return {
    summary: endpointOf.summary,
    security: security(endpointOf),
    parameters: parameters(endpointOf),
    ...requestBody(endpointOf),
    responses: responses(endpointOf),
  };
}

/** The OpenAPI 3.1 document of all endpoints. `serverUrl` is the address people use. */
export function openApiDocument(endpoints: readonly Endpoint[], serverUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of endpoints) {
    (paths[each.path] ??= {})[each.method.toLowerCase()] = operation(each);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Dovepost', version: '1', description: 'Send WhatsApp messages from your own phone numbers.' },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: {
        account: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'A session token or the api_key' },
        project: { type: 'apiKey', in: 'header', name: 'x-auth-key', description: "A project's auth key" },
      },
    },
  };
}

export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  callers: 'anyone',
  summary: 'This document',
  response: { 200: z.record(z.string(), z.unknown()) },
});
