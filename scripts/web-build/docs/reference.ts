import { documentedEndpoints, namedSchemas } from '../../../contracts/index.ts';
import { openApiDocument } from '../../../contracts/openapi.ts';
import { everywhere } from '../../../contracts/problem-codes.ts';
import type { DocsPage } from './guides.ts';
import { codeBlock, escapeHtml, idOf, inline, table } from './html.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
};
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Parameter = { name: string; in: string; required: boolean; description: string; schema: Schema };
type Answer = { description: string; content?: Content & Record<string, { examples?: object }> };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, unknown>[];
  parameters: ({ $ref: string } | Parameter)[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref: string } | Answer>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  tags: { name: string; description: string }[];
  components: {
    schemas: Record<string, Schema & { examples?: unknown[] }>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
  };
};

/** The server address in the examples; the page replaces it with its own origin. */
export const exampleOrigin = 'https://dovepost.example';

const document = openApiDocument({
  endpoints: documentedEndpoints,
  schemas: namedSchemas,
  serverUrl: exampleOrigin,
}) as unknown as Document;

const nameOfRef = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolve(document.components.schemas[nameOfRef(schema.$ref)] ?? {});

const parametersOf = ({ parameters }: Operation): Parameter[] =>
  parameters.map((each) => ('$ref' in each ? document.components.parameters[nameOfRef(each.$ref)] : each)!);
const answersOf = ({ responses }: Operation): [string, Answer][] =>
  Object.entries(responses).map(([status, each]) => [
    status,
    ('$ref' in each ? document.components.responses[nameOfRef(each.$ref)] : each)!,
  ]);
/** A body that is a component has the component's example. */
const exampleOf = ({ example, schema }: Content[string]): unknown =>
  example ?? (schema.$ref && document.components.schemas[nameOfRef(schema.$ref)]?.examples?.[0]);

/** `string`, `Message`, `list of Message`, `"a" | "b"`. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const named = resolve(schema);
    return named.enum ? typeOf(named) : nameOfRef(schema.$ref);
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => String(value)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any'];
  return types.map((type) => (schema.format === 'date-time' && type === 'string' ? 'date-time' : type)).join(' or ');
}

type Field = { name: string; type: string; isRequired: boolean; words: string };

/** `label` heads the table; with `of`, whose it is, it names it among those of the page. */
function fieldTable(label: string, fields: readonly Field[], of = ''): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, type, isRequired, words }) => ({
    cells: [
      `<code>${escapeHtml(name)}</code>${isRequired ? '<span class="req">required</span>' : ''}`,
      `<span class="faint">${escapeHtml(type)}</span>`,
      inline(words),
    ],
  }));
  return `<h3>${label}</h3>${table(`${label}${of && ` of ${of}`}`, ['Name', 'Type', 'What it is'], rows)}`;
}

const fieldOf = ({ name, required, description, schema }: Parameter): Field => ({
  name,
  type: typeOf(schema),
  isRequired: required,
  words: description,
});

function fieldsOf(schema: Schema): Field[] {
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeOf(property),
    isRequired: required.includes(name),
    words: property.description ?? '',
  }));
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

function curlOf(method: string, path: string, operation: Operation): string {
  const { security, requestBody } = operation;
  const filled = path.replace('{projectId}', 'PROJECT_ID').replaceAll(/\{\w+\}/g, '1');
  const query = parametersOf(operation).filter(({ in: place, required }) => place === 'query' && required);
  const search = query.length === 0 ? '' : `?${query.map(({ name }) => `${name}=custom_fields.city`).join('&')}`;
  const isProject = security.some((each) => 'project' in each);
  const key = isProject ? 'x-auth-key: YOUR_AUTH_KEY' : 'authorization: YOUR_API_KEY';
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = content && exampleOf(content);
  const body = typeof example === 'string' ? example : JSON.stringify(example ?? {});
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${exampleOrigin}${filled}${search}'`,
    ...(security.length > 0 ? [`-H '${key}'`] : []),
    ...(type === undefined
      ? []
      : [`-H 'content-type: ${type}'`, `--data-binary '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

const callers = (security: Operation['security']) =>
  [
    security.some((each) => 'project' in each) ? '<code>x-auth-key</code>' : '',
    security.some((each) => 'account' in each) ? '<code>authorization</code>' : '',
  ]
    .filter(Boolean)
    .join(' or ') || 'no key';

function answers(operation: Operation): string {
  const parts = answersOf(operation).flatMap(([status, { content, description }]) => {
    if (Number(status) >= 400) return [];
    const body = content?.['application/json'];
    const fields = body ? fieldTable(`Answer ${status}`, fieldsOf(body.schema), titleOf(operation.operationId)) : '';
    return [
      body
        ? fields + codeBlock([{ language: 'json', code: json(exampleOf(body)) }], `Answer ${status}`)
        : `<p>Answers <code>${status}</code>: ${inline(description)}.</p>`,
    ];
  });
  return parts.slice(0, 1).join('');
}

function refusals(operation: Operation): string {
  const codes = answersOf(operation).flatMap(([status, { content }]) =>
    Object.keys(content?.['application/json']?.examples ?? {})
      .filter((code) => !everywhere.some((each) => each === code))
      .map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a> (${status})`),
  );
  const common = 'Besides <a href="/docs/errors">what any request may be refused with</a>';
  return codes.length === 0 ? '' : `<p>${common}: ${codes.join(', ')}.</p>`;
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const { operationId, summary, requestBody, security } = operation;
  const body = requestBody?.content['application/json'];
  return `<section class="endpoint" aria-labelledby="${operationId}">
<h2 id="${operationId}">${escapeHtml(titleOf(operationId))}</h2>
<p class="route"><span class="method">${method}</span><code>${escapeHtml(path)}</code><span class="faint">with ${callers(security)}</span></p>
<p>${inline(summary)}.</p>
${fieldTable('Parameters', parametersOf(operation).map(fieldOf), titleOf(operationId))}
${body ? fieldTable('Body', fieldsOf(body.schema), titleOf(operationId)) : ''}
${codeBlock([{ language: 'sh', code: curlOf(method, path, operation) }], 'Request')}
${answers(operation)}
${refusals(operation)}
</section>`;
}

/** `sendMessage` reads as 'Send message'. */
const titleOf = (operationId: string) => {
  const words = operationId.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function eventHtml(type: string, { post }: { post: Operation }): string {
  const body = post.requestBody?.content['application/json'];
  return `<section class="endpoint" aria-labelledby="${idOf(type)}"><h2 id="${idOf(type)}">${type}</h2><p>${inline(post.summary)}.</p>${
    body ? codeBlock([{ language: 'json', code: json(exampleOf(body)) }], type) : ''
  }</section>`;
}

function eventsPage(lead: string): DocsPage {
  const events = Object.entries(document.webhooks);
  const [, first] = events[0] ?? [];
  const headers = (first ? parametersOf(first.post) : []).map(fieldOf);
  return {
    path: '/docs/reference/events',
    title: 'Events',
    section: 'Reference',
    lead,
    html: fieldTable('Headers', headers) + events.map(([type, item]) => eventHtml(type, item)).join('\n'),
    markdown: `# Events\n\n${lead}\n\n${events.map(([type]) => `- \`${type}\``).join('\n')}\n`,
    headings: events.map(([type]) => ({ id: idOf(type), text: type })),
  };
}

/** A page for each heading of the API document. */
export function makeReference(): DocsPage[] {
  return document.tags.map(({ name, description }) => {
    if (name === 'Events') return eventsPage(description);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { tags }]) => tags.includes(name))
        .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
    return {
      path: `/docs/reference/${idOf(name)}`,
      title: name,
      section: 'Reference',
      lead: description,
      html: operations.map(({ method, path, operation }) => operationHtml(method, path, operation)).join('\n'),
      markdown: `# ${name}\n\n${description}\n\n${operations
        .map(({ method, path, operation: { summary } }) => `- \`${method} ${path}\`: ${summary}`)
        .join('\n')}\n`,
      headings: operations.map(({ operation: { operationId } }) => ({ id: operationId, text: titleOf(operationId) })),
    };
  });
}
