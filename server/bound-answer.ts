import type { Endpoint } from '#contracts/endpoint.ts';
import { isPermitted } from './actor.ts';
import type { Actor } from './actor.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answer to a change: a caller without `answerNeeds` gets the id and the fields that the body named. */
export function boundAnswer(
  { answerNeeds }: Endpoint,
  { actor, brought, answer }: { actor: Actor; brought: unknown; answer: unknown },
): unknown {
  if (answerNeeds === undefined || isPermitted(actor, answerNeeds) || !isRecord(answer)) return answer;
  const named = isRecord(brought) ? namedOf(answer, brought) : {};
  return { ...('id' in answer && { id: answer['id'] }), ...named };
}

/** Fields of fields, too: what is merged into an object leaves its other fields unsaid. */
function namedOf(answer: Record<string, unknown>, brought: Record<string, unknown>): Record<string, unknown> {
  const named = Object.entries(answer).filter(([name]) => brought[name] !== undefined);
  return Object.fromEntries(
    named.map(([name, value]) => {
      const given = brought[name];
      return [name, isRecord(value) && isRecord(given) ? namedOf(value, given) : value];
    }),
  );
}
