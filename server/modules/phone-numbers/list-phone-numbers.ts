import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/projects/index.ts';
import { findHealths, toPhoneNumber } from './present.ts';
import { momentOf } from './queries.ts';
import { isResting } from './rotation/resting.ts';

export async function listPhoneNumbers(
  ctx: AccountContext,
  input: { projectId: number },
): Promise<{ data: PhoneNumber[] }> {
  await getProject(ctx, input.projectId);
  const rows = await ctx.db
    .selectFrom('phones')
    .selectAll()
    .select(isResting.as('is_resting'))
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', input.projectId)
    .where('number', 'is not', null)
    .orderBy('id', 'desc')
    .execute();
  const day = momentOf(ctx);
  const healths = await findHealths(ctx, ctx.account.id, rows, day);
  return { data: rows.map((row) => toPhoneNumber(row, day, healths.get(row.id))) };
}
