import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Endpoint } from '#contracts/endpoint.ts';
import { documentedEndpoints, namedSchemas } from '#contracts/index.ts';
import { openApiDocument } from '#contracts/openapi.ts';

type Content = Record<string, { schema: object }>;
type Response = { $ref?: string; content?: Content };
export type Operation = {
  operationId: string;
  responses: Record<string, Response>;
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  parameters: { name: string; in: string; required: boolean; schema: object }[];
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
};

let made: OpenApi | undefined;

/** The document, made once for all tests of a worker. */
export function testDocument(): OpenApi {
  made ??= openApiDocument({
    endpoints: documentedEndpoints,
    schemas: namedSchemas,
    serverUrl: 'http://localhost',
  }) as OpenApi;
  return made;
}

/** A refusal stands in the document once, and is referred to. */
export const resolveResponse = (response: Response): Response =>
  response.$ref === undefined
    ? response
    : (testDocument().components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)] ?? {});

const compiled = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** `pointer` leads to a schema of the document, as a JSON pointer without `#`. */
export function validatorAt(pointer: string): ValidateFunction {
  const known = compiled.get(pointer);
  if (known) return known;
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(closed(testDocument()) as object, 'document');
  }
  const validate = ajv.compile({ $ref: `document#${pointer}` });
  compiled.set(pointer, validate);
  return validate;
}

/** Clients must take properties that they do not know; in a test, one that the document does not name is a fault. */
function closed(node: unknown, isPart = false): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((entry) => closed(entry, isPart));
  const entries = Object.entries(node).map(([key, value]) => [key, closed(value, key === 'allOf')]);
  const isOpen = isPart || !('properties' in node) || 'additionalProperties' in node || !('type' in node);
  return Object.fromEntries(isOpen ? entries : [...entries, ['additionalProperties', false]]);
}

const escape = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Throws where an answer is not as the document says: another status, type or shape. */
export function checkAnswer({ path, method }: Endpoint, status: number, contentType: string, body: unknown): void {
  const name = `${method} ${path} ${status}`;
  const operation = testDocument().paths[path]?.[method.toLowerCase()];
  const response = operation?.responses[status];
  if (response === undefined) throw new Error(`${name} is not in the API document: ${JSON.stringify(body)}`);
  const type = contentType.split(';', 1)[0] ?? '';
  if (type !== 'application/json') return;
  const place = response.$ref?.slice(1) ?? `/paths/${escape(path)}/${method.toLowerCase()}/responses/${status}`;
  const { content } = resolveResponse(response);
  if (!content?.[type]) throw new Error(`${name} answers ${type}, which is not in the API document`);
  const validate = validatorAt(`${place}/content/${escape(type)}/schema`);
  if (validate(body)) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(`${name} is not as the API document says:\n${faults.join('\n')}\n${JSON.stringify(body)}`);
}
