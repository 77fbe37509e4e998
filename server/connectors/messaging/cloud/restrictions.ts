import { z } from 'zod';

/** A restriction of a business account: nothing may be sent, or nobody begun with. `until` null: nobody knows. */
export type Restriction = {
  source: string;
  scope: 'all' | 'begin';
  reason: string;
  until: Date | null;
};

/** The restrictions of these sources are as named from now on; a source without any is free. */
export type RestrictionNews = { sources: readonly string[]; holds: Restriction[] };

const word = z.coerce.string().optional().catch(undefined);
const Value = z.object({
  event: word,
  decision: word,
  ban_info: z.object({ waba_ban_state: word }).optional().catch(undefined),
  restriction_info: z
    .array(z.object({ restriction_type: word, expiration: word }))
    .optional()
    .catch(undefined),
});

const kinds: Readonly<Record<string, { scope: Restriction['scope']; reason: string }>> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: { scope: 'begin', reason: 'Meta lets this business begin with nobody for now' },
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: { scope: 'all', reason: 'Meta lets this business answer nobody for now' },
};

/** Meta writes an end as seconds or as ISO 8601. */
function readEnd(text: string | undefined): Date | null {
  if (text === undefined || text === '') return null;
  const at = /^\d{9,11}$/.test(text) ? new Date(Number(text) * 1000) : new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
}

/**
 * The restrictions that a notice brings or lifts; undefined where it says nothing of them.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/account_update.
 */
export function restrictionsOf(field: string, raw: unknown): RestrictionNews | undefined {
  const value = Value.catch({} as z.infer<typeof Value>).parse(raw);
  if (field === 'account_review_update') {
    const isRefused = value.decision === 'REJECTED';
    const reason = 'Meta did not approve the business account';
    return { sources: ['review'], holds: isRefused ? [{ source: 'review', scope: 'all', reason, until: null }] : [] };
  }
  if (field !== 'account_update') return undefined;
  const ban = (reason: string): RestrictionNews => ({
    sources: ['ban'],
    holds: [{ source: 'ban', scope: 'all', reason, until: null }],
  });
  switch (value.event) {
    case 'ACCOUNT_RESTRICTION':
      return {
        sources: ['restriction_begin', 'restriction_all'],
        holds: (value.restriction_info ?? []).flatMap(({ restriction_type: type, expiration }) => {
          const kind = kinds[type ?? ''];
          return kind ? [{ source: `restriction_${kind.scope}`, until: readEnd(expiration), ...kind }] : [];
        }),
      };
    case 'DISABLED_UPDATE':
      if (value.ban_info?.waba_ban_state === 'DISABLE') return ban('Meta has disabled the business account');
      return value.ban_info?.waba_ban_state === 'REINSTATE' ? { sources: ['ban'], holds: [] } : undefined;
    case 'ACCOUNT_DELETED':
      return ban('The business account was deleted at Meta');
    default:
      return undefined;
  }
}
