import type { Expression, Criteria } from '#contracts/expressions.ts';
import type { ExplainedNode } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { allNeeds, findPeople, momentOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import type { Moment, Person } from '#server/modules/audience/conditions/index.ts';
import { getProfileRow } from '#server/modules/audience/profiles/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { criteriaOf } from './criteria.ts';
import { requireExpression } from './require-expression.ts';

type ExplainSegment = { expression: Expression; profile_id: number };

/** Why a profile matches, or does not: each part with its answer, and what its leaf looked at. Throws 404, and 422 as a preview. */
export async function explainSegment(
  ctx: AccountContext,
  { expression, profile_id: profileId }: ExplainSegment,
): Promise<{ matches: boolean; tree: ExplainedNode }> {
  const person = await findPerson(ctx, profileId);
  await requireExpression(ctx, { expression });
  const tree = explained(await criteriaOf(ctx, expression), person, momentOf(ctx));
  return { matches: tree.matches === true, tree };
}

/** Throws 404. */
export async function findPerson(ctx: AccountContext, profileId: number): Promise<Person> {
  await getProfileRow(ctx, profileId);
  const person = (await findPeople(ctx, [profileId], allNeeds)).get(profileId);
  if (!person) throw new NotFoundError('Profile');
  return person;
}

function explained(criteria: Criteria, person: Person, moment: Moment): ExplainedNode {
  const question = questionOf(criteria);
  const matches = question.evaluate(person, moment) ?? null;
  if ('all' in criteria) return { all: criteria.all.map((each) => explained(each, person, moment)), matches };
  if ('any' in criteria) return { any: criteria.any.map((each) => explained(each, person, moment)), matches };
  if ('not' in criteria && !('message' in criteria)) return { not: explained(criteria.not, person, moment), matches };
  const value = question.readValue?.(person, moment) ?? null;
  // The document knows a segment by its id; what it is made of is asked for by itself.
  const leaf = 'segment' in criteria ? { segment: criteria.segment } : { ...criteria, typed: undefined, is: undefined };
  return { ...leaf, matches, value: 'segment' in criteria ? matches : value } as ExplainedNode;
}
