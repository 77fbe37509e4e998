import openapiTypescript, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import { documentedEndpoints, namedSchemas } from '../../contracts/index.ts';
import { openApiDocument } from '../../contracts/openapi.ts';

type Content = Readonly<Record<string, { schema: object }>>;
type Operation = {
  operationId: string;
  summary: string;
  parameters: readonly { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Content };
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
};
type Document = {
  info: object;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: object };
};

const json = 'application/json';

/** Refusals, headers and examples are no part of the types: without them they are a tenth as long. */
function plainOf(operation: Operation): object {
  const { operationId, parameters, requestBody, responses } = operation;
  const schemasOf = ({ content = {} }: { content?: Content }) => ({
    content: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }])),
  });
  return {
    operationId,
    parameters,
    ...(requestBody && { requestBody: { required: true, ...schemasOf(requestBody) } }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => status < '300')
        .map(([status, response]) => [status, { description: response.description, ...schemasOf(response) }]),
    ),
  };
}

function callOf({ operationId, parameters, requestBody }: Operation): string {
  const of = `operations['${operationId}']`;
  const places = [
    ['params', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ] as const;
  const parts = places
    .filter(([, place]) => parameters.some((parameter) => parameter.in === place))
    .map(([part, place]) => `${part}: NonNullable<${of}['parameters']['${place}']>;`);
  if (requestBody && json in requestBody.content) parts.push(`body: ${of}['requestBody']['content']['${json}'];`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(' ')} }`;
}

function responseOf({ operationId, responses }: Operation): string {
  const answers = Object.entries(responses).filter(([status]) => status < '300');
  const types = answers.map(([status, { content = {} }]) =>
    json in content ? `operations['${operationId}']['responses'][${status}]['content']['${json}']` : 'undefined',
  );
  return [...new Set(types)].join(' | ');
}

/** The names that `sdk/api/contracts.ts` has of the contracts. */
const entities = [
  'Message',
  'PhoneNumber',
  'Conversation',
  'ContactOptOut',
  'Campaign',
  'BulkRun',
  'FinishedImport',
  'TrackedEvent',
  'CurrentSubscription',
  'FieldError',
  'Problem',
  'WebhookEventType',
];

/** The published place of `sdk/api/contracts.ts`: the same types, made of the API document, so that they need no package. */
export async function documentTypes(): Promise<string> {
  const parts = { endpoints: documentedEndpoints, schemas: namedSchemas, serverUrl: 'https://dovepost.invalid' };
  const { info, paths, components } = openApiDocument(parts) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const plain = {
    openapi: '3.1.0',
    info,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, plainOf(operation)])),
      ]),
    ),
    components: { schemas: components.schemas },
  };
  const made = await openapiTypescript(plain as unknown as OpenAPI3, { defaultNonNullable: false });
  const wanted = new Set(['components', 'operations']);
  const declarations = made.filter((node) => 'name' in node && wanted.has((node.name as { text: string }).text));
  return [
    'type OptionalWhereEmpty<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] } & {',
    '  [K in keyof T as object extends T[K] ? K : never]?: T[K];',
    '};',
    'type Calls<Call, Response> = { call: OptionalWhereEmpty<Call>; response: Response };',
    '/** Every endpoint by method and path: what it is called with, and what it answers. */',
    'export interface Endpoints {',
    ...operations.flatMap(({ name, operation }) => [
      `  /** ${operation.summary} */`,
      `  '${name}': Calls<${callOf(operation)}, ${responseOf(operation)}>;`,
    ]),
    '}',
    ...entities.map((name) => `export type ${name} = components['schemas']['${name}'];`),
    astToString(declarations),
  ].join('\n');
}
