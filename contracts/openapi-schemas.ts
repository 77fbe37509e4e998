import { z } from 'zod';
import { exampleOf } from './openapi-examples.ts';
import type { JsonSchema } from './openapi-examples.ts';

type Direction = 'input' | 'output';

const localPrefix = '#/$defs/';

/** The final output of a pipe. */
function endOf(schema: z.ZodType): z.ZodType {
  const { def } = schema;
  return def.type === 'pipe' ? endOf((def as z.core.$ZodPipeDef).out as z.ZodType) : schema;
}

const isInteger = ({ def }: z.ZodType) =>
  def.type === 'number' && String((def as { format?: string }).format).includes('int');

/** Whole numbers that may be written as digits, in a query or in JSON, are documented as the integers that they are. */
function writeIntegers(made: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const { jsonSchema } = made;
  const zodSchema = made.zodSchema as z.ZodType;
  const { def } = zodSchema;
  if (def.type === 'default') jsonSchema['default'] = (def as z.core.$ZodDefaultDef).defaultValue;
  if (def.type === 'object') delete jsonSchema['additionalProperties'];
  const end = endOf(zodSchema);
  if (end === zodSchema || !isInteger(end)) return;
  const { $schema: _, ...integer } = z.toJSONSchema(end);
  const { description } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  Object.assign(jsonSchema, integer, description === undefined ? {} : { description });
}

/**
 * The schemas of a document: those of `named` become components wherever they stand, under their names. Where what a
 * caller writes differs from what the server answers, the former is called `<Name>Input`.
 */
export function createSchemas(named: ReadonlyMap<z.ZodType, string>) {
  const found: Record<Direction, Record<string, JsonSchema>> = { input: {}, output: {} };
  const made: { schema: JsonSchema; direction: Direction }[] = [];
  const metadata = {
    get(schema: z.ZodType) {
      const own = z.globalRegistry.get(schema);
      const id = named.get(schema);
      return id === undefined ? own : { ...own, id };
    },
  } as unknown as typeof z.globalRegistry;

  /** `name` is the field's, for what every field of that name is. */
  function schemaOf(schema: z.ZodType, direction: Direction): JsonSchema {
    // Inside of an object a named schema is a reference even where it stands alone.
    const { $defs, properties } = z.toJSONSchema(z.object({ it: schema }), {
      io: direction,
      metadata,
      unrepresentable: 'any',
      override: writeIntegers,
    }) as unknown as { $defs?: Record<string, JsonSchema>; properties: { it: JsonSchema } };
    for (const [name, definition] of Object.entries($defs ?? {})) {
      if (found[direction][name]) continue;
      const { id: _, ...rest } = definition;
      found[direction][name] = rest;
    }
    made.push({ schema: properties.it, direction });
    return properties.it;
  }

  /** To be called when every schema of the document is made: completes them, and answers the components. */
  function finish(): Record<string, JsonSchema> {
    const differing = findDiffering(found);
    const nameFor = (name: string, direction: Direction) =>
      direction === 'input' && differing.has(name) ? `${name}Input` : name;
    const components: Record<string, JsonSchema> = {};
    for (const direction of ['output', 'input'] as const) {
      for (const [name, schema] of Object.entries(found[direction])) {
        components[nameFor(name, direction)] ??= schema;
        complete(schema, (to) => nameFor(to, direction));
      }
    }
    for (const { schema, direction } of made) complete(schema, (name) => nameFor(name, direction));
    for (const [name, schema] of Object.entries(components)) {
      schema['examples'] ??= [exampleOf({ $ref: refTo(name) }, components)];
    }
    return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  return { schemaOf, finish };
}

export const refTo = (name: string): string => `#/components/schemas/${name}`;

/** The names whose input is not as their output, by themselves or by what they refer to. */
function findDiffering({ input, output }: Record<Direction, Record<string, JsonSchema>>): Set<string> {
  const both = Object.keys(input).filter((name) => output[name] !== undefined);
  const texts = new Map(both.map((name) => [name, JSON.stringify(input[name])]));
  const differing = new Set(both.filter((name) => texts.get(name) !== JSON.stringify(output[name])));
  for (let size = -1; size !== differing.size;) {
    size = differing.size;
    for (const [name, text] of texts) {
      if ([...differing].some((other) => text.includes(`"${localPrefix}${other}"`))) differing.add(name);
    }
  }
  return differing;
}

const mostInt32 = 2 ** 31 - 1;

/** Whether every value that the schema allows fits into 32 bits: without a format generators take 32 for granted. */
const fitsInt32 = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema) =>
  Number(minimum ?? exclusiveMinimum) >= -mostInt32 && Number(maximum ?? exclusiveMaximum) <= mostInt32;

/** Integers say how wide they are in place of the bounds that every number of JavaScript has; the format of a time is pattern enough. */
function shorten(schema: JsonSchema): void {
  if ([schema['type']].flat().includes('integer')) schema['format'] ??= fitsInt32(schema) ? 'int32' : 'int64';
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (['date', 'date-time', 'email', 'uuid'].includes(String(schema['format']))) delete schema['pattern'];
}

/** Points the references to the components, and gives integers their width. */
function complete(schema: unknown, nameOf: (name: string) => string): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) {
    for (const entry of schema) complete(entry, nameOf);
    return;
  }
  const object = schema as JsonSchema;
  const { $ref } = object;
  if (typeof $ref === 'string' && $ref.startsWith(localPrefix)) {
    object['$ref'] = refTo(nameOf($ref.slice(localPrefix.length)));
  }
  shorten(object);
  for (const [key, value] of Object.entries(object)) {
    // A field may be called as a word of JSON Schema is.
    if (key === 'properties') for (const property of Object.values(value as object)) complete(property, nameOf);
    else if (key !== 'examples' && key !== 'default' && key !== 'enum') complete(value, nameOf);
  }
}
