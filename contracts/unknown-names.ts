import { z } from 'zod';
import { otherNames } from './endpoint.ts';
import type { FieldError } from './problem.ts';
import { nearestName } from './nearest-name.ts';

type Known = {
  /** Every way in which the value may be read; a union counts with all its variants. */
  schemas: readonly z.core.$ZodType[];
  /** The same of what the server answers: a name that only these have may come back, and is ignored. */
  answered: readonly z.core.$ZodType[];
};

/**
 * The names in a value that none of its schemas knows, at any depth, at most `most`. A record and what may be anything
 * have whatever names they like. The value's depth is bounded by the JSON parser.
 */
export function unknownNames(
  value: unknown,
  { schema, answer, most }: { schema: z.ZodType | undefined; answer?: z.ZodType | undefined; most: number },
): FieldError[] {
  const found: FieldError[] = [];
  const known = { schemas: schema ? [schema] : [noNames], answered: answer ? [answer] : [] };
  collect(value, { known, path: [], found, most });
  return found;
}

const noNames = z.object({});

type Walk = { known: Known; path: readonly string[]; found: FieldError[]; most: number };

function collect(value: unknown, { known, path, found, most }: Walk): void {
  if (found.length >= most) return;
  const schemas = allVariants(known.schemas);
  const preprocessed = schemas.find(isPreprocessed);
  if (preprocessed) {
    const read = z.safeParse(preprocessed.in, value);
    if (read.success) collect(read.data, { known: { ...known, schemas: [preprocessed.out] }, path, found, most });
    return;
  }
  if (typeof value !== 'object' || value === null || schemas.some(isFree)) return;
  const answered = allVariants(known.answered);
  if (Array.isArray(value)) {
    const elements = { schemas: schemas.flatMap(elementOf), answered: answered.flatMap(elementOf) };
    if (elements.schemas.length === 0) return;
    for (const [index, element] of value.entries()) {
      collect(element, { known: elements, path: [...path, String(index)], found, most });
    }
    return;
  }
  const shapes = schemas.flatMap(shapeOf);
  // The contract says itself that no object belongs here.
  if (shapes.length === 0) return;
  const answeredShapes = answered.flatMap(shapeOf);
  for (const [name, inner] of Object.entries(value)) {
    const inside = { schemas: fieldsNamed(name, shapes), answered: fieldsNamed(name, answeredShapes) };
    if (inside.schemas.length > 0) collect(inner, { known: inside, path: [...path, name], found, most });
    else if (inside.answered.length === 0 && found.length < most) {
      found.push({ path: [...path, name].join('.'), message: refusalOf(name, shapes) });
    }
  }
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const fieldsNamed = (name: string, shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name] as z.core.$ZodType] : []));

function refusalOf(name: string, shapes: readonly Shape[]): string {
  const shown = name.slice(0, 64);
  for (const [field, schema] of shapes.flatMap((shape) => Object.entries(shape))) {
    if (isOtherName(name, schema)) return `Unknown field ${shown}. Here it is called ${field}.`;
  }
  const nearest = nearestName(
    name,
    shapes.flatMap((shape) => Object.keys(shape)),
  );
  return nearest === undefined ? `Unknown field ${shown}` : `Unknown field ${shown}. Did you mean ${nearest}?`;
}

function isOtherName(name: string, schema: z.core.$ZodType): boolean {
  if (otherNames.get(schema)?.names.includes(name)) return true;
  return schema instanceof z.ZodOptional && isOtherName(name, schema.unwrap());
}

/** `z.preprocess`: what it makes of the value is what counts. */
const isPreprocessed = (schema: z.core.$ZodType): schema is z.ZodPreprocess<z.ZodType> =>
  schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform;

const isFree = (schema: z.core.$ZodType) =>
  schema instanceof z.ZodRecord ||
  schema instanceof z.ZodUnknown ||
  schema instanceof z.ZodAny ||
  schema instanceof z.ZodCustom;

const shapeOf = (schema: z.core.$ZodType): Shape[] => (schema instanceof z.ZodObject ? [schema.shape] : []);

const elementOf = (schema: z.core.$ZodType): z.core.$ZodType[] =>
  schema instanceof z.ZodArray ? [schema.element] : [];

const variants = new WeakMap<z.core.$ZodType, readonly z.core.$ZodType[]>();

/** The schema without its mere wrappers; the same at every request. */
function variantsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  let known = variants.get(schema);
  if (!known) variants.set(schema, (known = findVariants(schema)));
  return known;
}

/** Nearly always it is one schema. */
function allVariants(schemas: readonly z.core.$ZodType[]): readonly z.core.$ZodType[] {
  const [only] = schemas;
  return only && schemas.length === 1 ? variantsOf(only) : schemas.flatMap(variantsOf);
}

function findVariants(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(variantsOf);
  // The value before a transformation is what the caller writes.
  if (schema instanceof z.ZodPipe && !isPreprocessed(schema)) return variantsOf(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    return variantsOf(schema.unwrap());
  }
  return [schema];
}
