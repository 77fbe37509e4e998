import { sql } from 'kysely';
import type { Criteria, Expression } from '#contracts/expressions.ts';
import type { NearlyMember } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import {
  distanceOf,
  distanceSql,
  findPeople,
  momentOf,
  needsOf,
  questionOf,
  readAllOrSome,
} from '#server/modules/audience/conditions/index.ts';
import type { MatchingProfile, Moment, Person } from '#server/modules/audience/conditions/index.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { criteriaOf } from './criteria.ts';
import { presentMember } from './present.ts';
import { requireExpression } from './require-expression.ts';

type ListNearly = { expression: Expression; limit: number; offset: number };

/** People who miss an expression by a single condition, newest first. Throws 422 as a preview. */
export async function listNearlyMembers(
  ctx: AccountContext,
  { expression, limit, offset }: ListNearly,
): Promise<{ data: NearlyMember[]; count: number; is_estimate: boolean }> {
  await requireExpression(ctx, { expression });
  const criteria = await criteriaOf(ctx, expression);
  const moment = momentOf(ctx);
  const needs = needsOf([criteria]);
  const predicate = sql<boolean>`(${distanceSql(criteria, moment)} = 1)`;
  const isMatch = (person: Person) => distanceOf(criteria, person, moment, 'expression').misses === 1;
  const { count, isEstimate, members } = await readAllOrSome(ctx, { predicate, needs, isMatch }, async (tx, nearly) => {
    const { rows } = await sql<{ count: number; members: MatchingProfile[] }>`
      with nearly as materialized (
        select profiles.id from profiles
         where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)} and ${nearly.predicate}
      )
      select (select count(*) from nearly) as count,
             array(select to_jsonb(m) from (
               select p.id, p.country_code, p.calling_code, p.phone, p.national_number, p.name
                 from (select id from nearly order by id desc limit ${limit} offset ${offset}) as n
                 join profiles p on p.account_id = ${ctx.account.id} and p.id = n.id
                order by p.id desc) as m) as members
    `.execute(tx.db);
    const [found = { count: 0, members: [] }] = rows;
    return { count: nearly.scaled(found.count), isEstimate: nearly.isEstimate, members: found.members };
  });
  const ids = members.map(({ id }) => id);
  const people = await findPeople(ctx, ids, needs);
  const data = members.flatMap((member) => {
    const person = people.get(member.id);
    if (!person) return [];
    const { missing = 'expression' } = distanceOf(criteria, person, moment, 'expression');
    return [{ ...presentMember(member), missing, joins_at: joinsAt(criteria, person, moment) }];
  });
  return { data, count, is_estimate: isEstimate };
}

const mostTurns = 50;
const yearMs = 366 * 86_400_000;

/** The first moment at which time alone lets a person in; null where none is seen within a year. */
function joinsAt(criteria: Criteria, person: Person, moment: Moment): string | null {
  const question = questionOf(criteria);
  const latest = moment.now.getTime() + yearMs;
  let at = moment;
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const next = question.validUntil(person, at);
    if (next > latest) return null;
    at = { ...moment, now: new Date(next) };
    if (question.evaluate(person, at) === true) return at.now.toISOString();
  }
  return null;
}
