import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoint, permissionsOf } from './endpoint.ts';
import { eventParts, webhookOperations } from './openapi-events.ts';
import { createSchemas, refTo } from './openapi-schemas.ts';
import type { JsonSchema } from './openapi-examples.ts';
import { exampleOf } from './openapi-examples.ts';
import { tagWords } from './openapi-tags.ts';
import type { Tag } from './openapi-tags.ts';
import { codesOf, everywhere } from './problem-codes.ts';
import { problemGuide } from './problem-guide.ts';
import type { ProblemCode } from './problem-guide.ts';
import { Problem } from './problem.ts';

type Schemas = ReturnType<typeof createSchemas>;
type Refusals = ReturnType<typeof createRefusals>;

/** The parts of a document: `contracts/index.ts` has those of the whole product. */
export type DocumentParts = {
  endpoints: readonly { readonly name: string; readonly tag: Tag; readonly endpoint: Endpoint }[];
  schemas: ReadonlyMap<z.ZodType, string>;
  /** The address that people use. */
  serverUrl: string;
};

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted: it goes on in the background',
  204: 'Done; no body',
  206: 'The range that was asked for',
};

function security({ callers, inProject }: Endpoint): object[] {
  if (callers === 'anyone') return [];
  const account = callers.includes('user') || callers.includes('api_key') ? [{ account: [] }] : [];
  const project = callers.includes('project_key') ? [{ project: [] }] : [];
  return inProject ? [...project, ...account] : [...account, ...project];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 24 hours the same key gets the same answer again, with `idempotent-replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function parametersOf(endpointOf: Endpoint, schemas: Schemas): object[] {
  const places = [
    ['path', endpointOf.params],
    ['query', endpointOf.query],
    ['query', endpointOf.asStream?.query],
    ['header', endpointOf.headers],
  ] as const;
  const own = places.flatMap(([place, object]) =>
    Object.entries(object?.shape ?? {}).map(([name, field]) => {
      const schema = schemas.schemaOf(field as z.ZodType, 'input');
      const { description } = schema;
      delete schema['description'];
      const required = place === 'path' || !z.safeParse(field as z.ZodType, undefined).success;
      return { name, in: place, required, description, schema };
    }),
  );
  return endpointOf.idempotency ? [...own, idempotencyKey] : own;
}

const explain = (code: ProblemCode) => `- \`${code}\`: ${problemGuide[code].meaning}`;

const refToPart = (kind: 'headers' | 'responses' | 'examples', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const headers = {
  RequestId: { description: 'Names the request, for questions about it.', schema: { type: 'string' } },
  RetryAfter: {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
  IdempotentReplayed: { description: '`true` where an earlier answer is repeated.', schema: { const: 'true' } },
};
const requestId = { 'request-id': refToPart('headers', 'RequestId') };

function problemResponse(status: number, codes: readonly ProblemCode[]): object {
  const retries = [429, 503].includes(status) && { 'retry-after': refToPart('headers', 'RetryAfter') };
  return {
    description: `Refused with one of:\n${codes.map(explain).join('\n')}`,
    headers: { ...requestId, ...retries },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: refTo('Problem') }, { type: 'object', properties: { code: { enum: [...codes] } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, refToPart('examples', code)])),
      },
    },
  };
}

const exampleOfProblem = (code: ProblemCode) => ({
  value: {
    message: problemGuide[code].meaning,
    code,
    docs: `/docs/errors#${code}`,
    request_id: '0b8f6c1e-5f0e-4c39-9d55-6a0c1d1f2b3a',
  },
});

const byStatus = (codes: readonly ProblemCode[]) => Map.groupBy(codes, (code) => problemGuide[code].status);

/**
 * A set of codes under one status is a component, which hundreds of operations refer to: `Problem404` has those that
 * every endpoint may be refused with, `Problem404_2` and on have others.
 */
function createRefusals() {
  const names = new Map<string, string>();
  const responses: Record<string, object> = {};
  const examples: Record<string, object> = {};
  const counts = new Map<number, number>();

  function refusal(status: number, codes: readonly ProblemCode[]): object {
    const key = codes.toSorted().join();
    const known = names.get(key);
    if (known !== undefined) return refToPart('responses', known);
    const count = (counts.get(status) ?? 0) + 1;
    counts.set(status, count);
    const name = count === 1 ? `Problem${status}` : `Problem${status}_${count}`;
    names.set(key, name);
    responses[name] = problemResponse(status, codes);
    for (const code of codes) examples[code] ??= exampleOfProblem(code);
    return refToPart('responses', name);
  }
  for (const [status, codes] of byStatus(everywhere)) refusal(status, codes);

  const refusalsOf = (each: Endpoint): Record<string, object> => {
    const grouped = byStatus([...new Set([...everywhere, ...codesOf(each)])]);
    return Object.fromEntries(Array.from(grouped, ([status, codes]) => [status, refusal(status, codes)]));
  };
  return { refusalsOf, components: { responses, examples } };
}

function answersOf(endpointOf: Endpoint, { schemaOf }: Schemas): object {
  const { response, produces, idempotency, asStream } = endpointOf;
  const takesKey = idempotency !== undefined || 'idempotency-key' in (endpointOf.headers?.shape ?? {});
  const replayed = takesKey && { 'idempotent-replayed': refToPart('headers', 'IdempotentReplayed') };
  const sent = { ...requestId, ...replayed };
  const answers = Object.entries(response).map(([status, schema]) => {
    const description = reasons[Number(status)] ?? status;
    if (!schema) return [status, { description, headers: sent }];
    const streamed = asStream?.response[200];
    const content = {
      [produces ?? 'application/json']: { schema: schemaOf(schema, 'output') },
      ...(streamed && { 'text/event-stream': { schema: schemaOf(streamed, 'output') } }),
    };
    return [status, { description, headers: sent, content }];
  });
  return Object.fromEntries(answers);
}

function requestBody({ body, consumes }: Endpoint, { schemaOf }: Schemas): object {
  if (consumes === 'text/csv') {
    const example = 'phone,name,custom_fields.city\n14155550132,Ada Lovelace,Lisbon\n';
    return { requestBody: { required: true, content: { [consumes]: { schema: { type: 'string' }, example } } } };
  }
  if (consumes === '*/*') {
    const file = {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'The file.' } },
    };
    const bytes = { schema: { type: 'string', format: 'binary' } };
    const content = { 'multipart/form-data': { schema: file }, 'application/octet-stream': bytes };
    return { requestBody: { required: true, content } };
  }
  if (consumes) return { requestBody: { required: true, content: { [consumes]: { schema: { type: 'object' } } } } };
  if (!body) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } };
}

function operation(
  { name, tag, endpoint: each }: DocumentParts['endpoints'][number],
  schemas: Schemas,
  { refusalsOf }: Refusals,
): object {
  const needed = permissionsOf(each).map((permission) => `\`${permission}\``);
  const needs = needed.length === 0 ? '' : `\n\nNeeds the permission ${needed.join(' and ')}.`;
  const { answerNeeds } = each;
  const bounds = answerNeeds
    ? `\n\nWithout \`${answerNeeds}\` the answer holds the \`id\` and what the body named; other fields are null or empty.`
    : '';
  return {
    operationId: name,
    tags: [tag],
    summary: each.summary,
    description: `${each.summary}.${needs}${bounds}`,
    security: security(each),
    parameters: parametersOf(each, schemas),
    ...requestBody(each, schemas),
    responses: { ...answersOf(each, schemas), ...refusalsOf(each) },
  };
}

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

/** Every JSON body gets an example that fits its schema; a component brings its own. */
function addExamples(node: unknown, components: Readonly<Record<string, JsonSchema>>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    const json = key === 'content' ? (value as Content)['application/json'] : undefined;
    if (json && !('examples' in json) && !('$ref' in json.schema)) json.example ??= exampleOf(json.schema, components);
    else if (key !== 'schema' && key !== 'examples') addExamples(value, components);
  }
}

const described = `Send WhatsApp messages from your own phone numbers, and get what comes back as webhooks.

Times are ISO 8601 in UTC. Every refusal is a \`Problem\`: decide by its \`code\`; the guide to errors says which to send again.
Answers may get further properties, and enumerations further values.`;

/** The OpenAPI 3.1 document. */
export function openApiDocument({ endpoints, schemas: named, serverUrl }: DocumentParts): Record<string, unknown> {
  const schemas = createSchemas(named);
  const refusals = createRefusals();
  const paths: Record<string, Record<string, object>> = {};
  for (const each of endpoints) {
    (paths[each.endpoint.path] ??= {})[each.endpoint.method.toLowerCase()] = operation(each, schemas, refusals);
  }
  schemas.schemaOf(Problem, 'output');
  const webhooks = webhookOperations(schemas);
  const components = schemas.finish();
  addExamples(paths, components);
  addExamples(webhooks, components);
  const tags = [...new Set<Tag>([...endpoints.map(({ tag }) => tag), 'Events'])];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dovepost',
      version: '1',
      summary: 'A dashboard and API for WhatsApp messages.',
      description: described,
      contact: { name: 'Dovepost', url: `${serverUrl}/docs` },
      license: { name: 'Proprietary', url: `${serverUrl}/docs` },
    },
    servers: [{ url: serverUrl }],
    externalDocs: { description: 'Guides', url: `${serverUrl}/docs` },
    tags: tags.map((name) => ({ name, description: tagWords[name] })),
    paths,
    webhooks,
    components: {
      schemas: components,
      responses: { ...refusals.components.responses, ...eventParts.responses },
      examples: refusals.components.examples,
      headers,
      parameters: eventParts.parameters,
      securitySchemes: {
        account: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: "A session token or the account's api_key, by itself or after `Bearer `.",
        },
        project: {
          type: 'apiKey',
          in: 'header',
          name: 'x-auth-key',
          description: "A project's auth key, or another key of the project with the scope.",
        },
      },
    },
  };
}

export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  callers: 'anyone',
  summary: 'This document, which may be kept for five minutes and is asked for again by its `etag`',
  headers: z.object({
    'if-none-match': z
      .string()
      .max(1000)
      .optional()
      .describe('The `etag` that the caller has: 304 comes without a body where the document is the same.'),
  }),
  response: { 200: z.record(z.string(), z.unknown()), 304: undefined },
});
