import { sql } from 'kysely';
import { factSql } from '#server/modules/audience/profiles/index.ts';
import type { Ledger } from './ledger/ledger.ts';
import { fillForProfile } from './placeholder-text.ts';

/** The part of a ledger whose entries are for profiles: each is sent to as its profile is at that moment. */
export const profileRecipients: Pick<Ledger, 'profileId' | 'hasWords' | 'recipientOf' | 'fill'> = {
  profileId: sql`profile_id`,
  hasWords: undefined,
  recipientOf: ({ accountId, audience }) => sql`
    select profiles.*, (${audience}) is true as is_member, ${factSql('language')} as language from profiles
     where profiles.account_id = ${accountId} and profiles.id = e.entry_profile_id
     limit 1`,
  fill: fillForProfile,
};
