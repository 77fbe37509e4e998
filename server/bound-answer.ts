import { z } from 'zod';
import type { Endpoint } from '#contracts/endpoint.ts';
import { isPermitted } from './actor.ts';
import type { Actor } from './actor.ts';

type Thing = Readonly<Record<string, unknown>>;

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Given = { actor: Actor; brought: unknown; status: number; answer: unknown };

/**
 * The answer to a change: for a caller without `answerNeeds` all is withheld but the id, the fields that the body named,
 * and what can be neither null nor empty.
 */
export function boundAnswer({ answerNeeds, response }: Endpoint, { actor, brought, status, answer }: Given): unknown {
  if (answerNeeds === undefined || isPermitted(actor, answerNeeds) || !isThing(answer)) return answer;
  const schema = response[status as keyof typeof response];
  return schema instanceof z.ZodObject ? boundThing(schema, answer, isThing(brought) ? brought : {}) : answer;
}

function boundThing(schema: z.ZodObject, thing: Thing, brought: Thing): Thing {
  const bound = Object.entries(thing).map(([name, value]) => {
    const given = brought[name];
    if (name === 'id') return [name, value];
    if (given === undefined) return [name, emptyOf(schema.shape[name], value)];
    return [name, isThing(value) && isThing(given) ? namedOf(value, given) : value];
  });
  return Object.fromEntries(bound) as Thing;
}

/** Of an object into which the body was merged, the fields that the body named. */
function namedOf(value: Thing, given: Thing): Thing {
  return Object.fromEntries(Object.entries(value).filter(([name]) => given[name] !== undefined));
}

const empties = [null, '', [], false, 0];

function emptyOf(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return null;
  if (schema instanceof z.ZodObject && isThing(value)) return boundThing(schema, value, {});
  const empty = empties.find((each) => z.safeParse(schema, each).success);
  return empty === undefined ? value : empty;
}
