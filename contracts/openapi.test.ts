import { expect, test } from 'vitest';
import { documentedEndpoints, endpoints, namedSchemas } from './index.ts';
import { openApiDocument } from './openapi.ts';

type Operation = {
  parameters: { name: string; in: string; required: boolean }[];
  security: object[];
  requestBody?: { content: Record<string, { example?: unknown; schema: { $ref?: string } }> };
  responses: Record<string, { $ref?: string; content?: object }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }>; responses: Record<string, { content: object }> };
};

const document = openApiDocument({
  endpoints: documentedEndpoints,
  schemas: namedSchemas,
  serverUrl: 'http://localhost:3000',
});
const { paths, components } = document as Document;
const nameOf = (ref = '') => ref.slice(ref.lastIndexOf('/') + 1);

test('every endpoint stands in the document, with what it takes and answers', () => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(operations).toHaveLength(endpoints.length);
  const send = paths['/api/send-message']?.['post'];
  expect(send?.security).toEqual([{ project: [] }, { account: [] }]);
  expect(send?.parameters).toMatchObject([
    { name: 'idempotency-key', in: 'header', required: false },
    { name: 'prefer', in: 'header', required: false },
    { name: 'current-project-id', in: 'header', required: false },
  ]);
  expect(Object.keys(send?.responses ?? {})).toEqual(expect.arrayContaining(['200', '202', '401', '422', '502']));
});

test('the example of every body is one that the endpoint takes', () => {
  const refused = documentedEndpoints.flatMap(({ name, endpoint: { method, path, body } }) => {
    const json = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
    if (!body || !json) return [];
    const example = json.example ?? components.schemas[nameOf(json.schema.$ref)]?.examples?.[0];
    const { error } = body.safeParse(example);
    return error
      ? [`${name}: ${error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`]
      : [];
  });
  expect(refused).toEqual([]);
});

test('every parameter in a path is described', () => {
  for (const [path, operations] of Object.entries(paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(operations)) {
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(named);
    }
  }
});

test('the document is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(paths))).toEqual(paths);
});

test('a number in a path or a query is an integer with its bounds', () => {
  const list = paths['/api/messages']?.['get']?.parameters;
  expect(list?.find(({ name }) => name === 'limit')).toMatchObject({
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  });
});

test('every integer says how wide it is: ids grow beyond 32 bits, bounded counts do not', () => {
  const widths = new Map<unknown, string[]>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && [value.type].flat().includes('integer')) {
      const format = 'format' in value ? value.format : 'none';
      widths.set(format, [...(widths.get(format) ?? []), path]);
    }
    for (const [key, each] of Object.entries(value)) {
      if (!['example', 'examples', 'default'].includes(key)) walk(each, `${path}/${key}`);
    }
  };
  walk(document, '');
  expect(new Set(widths.keys())).toEqual(new Set(['int32', 'int64']));
  expect(widths.get('int64')).toContain('/components/schemas/Message/properties/id');
  const limit = paths['/api/messages']?.['get']?.parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ schema: { format: 'int32' } });
});

test('a refusal names its codes under its status', () => {
  const { $ref } = paths['/api/send-message']?.['post']?.responses['502'] ?? {};
  expect(components.responses[nameOf($ref)]?.content).toMatchObject({
    'application/json': {
      schema: { allOf: [{}, { properties: { code: { enum: expect.arrayContaining(['network_refused']) } } }] },
    },
  });
});

test('an operation takes less than five kilobytes: refusals stand in the document once', () => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const refusals = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { $ref }]) => (Number(status) < 400 ? [] : [$ref])),
  );
  expect(refusals.filter((ref) => !ref?.startsWith('#/components/responses/'))).toEqual([]);
  expect(JSON.stringify(paths).length / operations.length).toBeLessThan(2_500);
  expect(JSON.stringify(document).length / operations.length).toBeLessThan(5_000);
});
