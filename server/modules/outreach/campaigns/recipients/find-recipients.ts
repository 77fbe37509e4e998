import { sql } from 'kysely';
import type { Recipient } from '#contracts/campaigns.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { narrowEntries, presentEntry } from '#server/modules/outreach/recipients/index.ts';
import type { NarrowedEntries, Narrowing, StoredEntry } from '#server/modules/outreach/recipients/index.ts';
import { readsAllContacts } from '#server/scope.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import type { CampaignRow } from '../campaign.ts';
import { cancelledReason } from '../recall-queued.ts';

type RecipientRow = StoredEntry & { profile_id: number; is_profile_deleted: boolean; name: string | null };

type Slice = { after?: number | undefined; limit: number; offset?: number };

export const narrowRecipients = (ctx: Context, campaign: CampaignRow, narrowing: Narrowing): Promise<NarrowedEntries> =>
  narrowEntries(
    ctx,
    {
      ledger: campaignLedger,
      accountId: campaign.account_id,
      sourceId: campaign.id,
      fedUntil: campaign.fed_until,
      brokenOff: isCancelled(campaign) ? cancelledReason : undefined,
    },
    narrowing,
  );

/** Some of those who are narrowed to, in the order in which they are sent to: that of their profiles' ids. */
export async function findRecipients(
  ctx: AccountContext,
  campaign: CampaignRow,
  { entries }: NarrowedEntries,
  slice: Slice,
): Promise<Recipient[]> {
  // Slices of a snapshot are there before all of it is.
  if (campaign.status === 'creating') return [];
  // The keys come from an index alone, however many pages lie before this one. They are fenced, so that each row is
  // found by its key: a ledger that was filled just now has no statistics yet.
  const { rows } = await sql<RecipientRow>`
    with page as materialized (
      select account_id, campaign_id, profile_id from ${entries}
       where profile_id > ${slice.after ?? 0}
       order by profile_id
       limit ${slice.limit} offset ${slice.offset ?? 0}
    )
    select r.profile_id, p.id is null as is_profile_deleted, p.name, r.phone, r.status, m.status as message_status,
           m.error_code, r.message_id, r.reason, r.changed_at, a.answered_at as replied_at,
           c.clicked_at
      from page
      join campaign_recipients r using (account_id, campaign_id, profile_id)
      left join profiles p on p.account_id = page.account_id and p.id = page.profile_id
      left join messages m on m.account_id = page.account_id and m.id = r.message_id
      left join message_answers a on a.account_id = page.account_id and a.message_id = r.message_id
      left join message_clicks c on c.account_id = page.account_id and c.message_id = r.message_id
     order by r.profile_id
  `.execute(ctx.db);
  const mayReadContacts = readsAllContacts(ctx);
  return rows.map((row) => presentRecipient(campaign, mayReadContacts ? row : { ...row, name: null }));
}

/** Recipients who waited when it was cancelled still do in the ledger. */
const isCancelled = (campaign: CampaignRow) => campaign.status === 'cancelled';

function presentRecipient(campaign: CampaignRow, row: RecipientRow): Recipient {
  const { profile_id, is_profile_deleted, name } = row;
  const brokenOff = isCancelled(campaign) ? { reason: cancelledReason, at: campaign.finished_at } : undefined;
  return { profile_id, is_profile_deleted, name, ...presentEntry(row, brokenOff) };
}
