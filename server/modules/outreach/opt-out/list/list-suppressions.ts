import { sql } from 'kysely';
import type { z } from 'zod';
import type { Suppression, listSuppressions as contract } from '#contracts/suppressions.ts';
import type { AccountContext } from '#server/context.ts';
import { digitsToFind } from '#contracts/understand-number.ts';
import type { SuppressionRow } from '#server/modules/audience/suppressions/index.ts';
import { presentSuppression } from '../present.ts';

type ListSuppressions = z.output<typeof contract.query>;
type Page = { data: Suppression[]; next_cursor: string | null };

/** A page begins after the last entry of the one before, so that what is added meanwhile shifts nothing. */
export async function listSuppressions(ctx: AccountContext, input: ListSuppressions): Promise<Page> {
  const { search = '', by, after, limit } = input;
  const digits = digitsToFind(search);
  if (search !== '' && digits === '') return { data: [], next_cursor: null };
  const isFound = sql<boolean>`phone like ${search.startsWith('+') ? `${digits}%` : `%${digits}%`}
    and (${by ?? null}::text is null or source = ${by ?? null}) and (${after ?? null}::bigint is null or id < ${after ?? null})`;
  const account = sql`account_id = ${ctx.account.id}`;
  const { rows } = await sql<SuppressionRow & { topic: Suppression['topic'] }>`
    select * from (
      (select phone, opted_out_at, source, evidence, note, id, '*' as topic
         from suppressions where ${account} and ${isFound} order by id desc limit ${limit + 1})
      union all
      (select * from (select phone, said_at as opted_out_at, 'reply' as source, null::jsonb as evidence,
                             ${stoppedText} as note, id, 'marketing' as topic
                        from marketing_stops where ${account} and is_stopped) as stopped
        where ${isFound} order by id desc limit ${limit + 1})
    ) as listed
    order by id desc
    limit ${limit + 1}
  `.execute(ctx.db);
  const page = rows.slice(0, limit);
  const isMore = rows.length > limit;
  const data = page.map(({ topic, ...row }) => ({ ...presentSuppression(row), topic }));
  return { data, next_cursor: isMore ? String(page.at(-1)?.id ?? '') : null };
}

const stoppedText = 'Stopped marketing in WhatsApp';
