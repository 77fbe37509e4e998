import { sql } from 'kysely';
import type { CampaignPreview } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { compileCondition, withinBounds } from '#server/modules/conditions/index.ts';
import type { ProfileRow } from '#server/modules/profiles/index.ts';
import { fillForProfile, skipReasonSql } from '#server/modules/recipients/index.ts';
import { conditionOf, getSegmentRow } from '#server/modules/segments/index.ts';

type PreviewCampaign = { segment_id: number; message: string };
type Counts = { total: number; invalid_number: number; opted_out: number };

const maxSamples = 3;

/** Up to here the matches are found by their index and sorted; more are met soon enough from the newest on. */
const sortedMatches = 10_000;

/** Who would get it now, as the snapshot would take them down. Throws 503 `too_costly` where that takes too long. */
export async function previewCampaign(ctx: AccountContext, input: PreviewCampaign): Promise<CampaignPreview> {
  const condition = conditionOf(await getSegmentRow(ctx, input.segment_id));
  const { predicate } = compileCondition(condition, ctx.clock.now());
  const members = sql`select * from profiles where profiles.account_id = ${ctx.account.id} and ${predicate}`;
  return withinBounds(ctx, async (tx) => {
    const counted = await sql<Counts>`
      select count(*) as total, count(*) filter (where reason = 'invalid_number') as invalid_number,
             count(*) filter (where reason = 'opted_out') as opted_out
        from (select ${skipReasonSql} as reason from (${members}) as profiles) as members
    `.execute(tx.db);
    const { total, ...skipped } = counted.rows[0] ?? { total: 0, invalid_number: 0, opted_out: 0 };
    const fence = total <= sortedMatches ? sql`offset 0` : sql``;
    const { rows: samples } = await sql<ProfileRow>`
      select * from (${members} ${fence}) as profiles where ${skipReasonSql} is null order by id desc limit ${maxSamples}
    `.execute(tx.db);
    return {
      total,
      will_receive: total - skipped.invalid_number - skipped.opted_out,
      skipped,
      samples: samples.map((profile) => ({
        profile_id: profile.id,
        name: profile.name,
        phone: profile.phone,
        message: fillForProfile(input.message, profile),
      })),
    };
  });
}
