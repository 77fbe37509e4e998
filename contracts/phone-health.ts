import { z } from 'zod';
import { Id, Timestamp } from './page.ts';

export const PhoneHealthState = z.enum(['warming', 'healthy', 'watch', 'limited', 'capped', 'locked']);
export type PhoneHealthState = z.infer<typeof PhoneHealthState>;

export const PhoneHealthCode = z.enum([
  'warming_up',
  'linked_recently',
  'cap_warning',
  'few_delivered',
  'many_opted_out',
  'over_allowance',
  'recovering',
  'canary',
  'new_chat_cap',
  'time_lock',
  'refused_twice',
  'known_refused',
  'nothing_delivered',
  'account_locked',
]);
export type PhoneHealthCode = z.infer<typeof PhoneHealthCode>;

const Allowance = z.object({
  allowed: z.int().nonnegative().describe('Messages on this day of allowances, which begins at nine.'),
  used: z.int().nonnegative().describe('How much of it is used.'),
});

const Share = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Of the messages of the last 24 hours; null where there were none.');

/** How a linked number stands with its network, and what its queued messages keep to. */
export const PhoneHealth = z.object({
  state: PhoneHealthState.describe('How it is now.'),
  until: Timestamp.nullable().describe('When that ends by itself, where it is known.'),
  code: PhoneHealthCode.nullable().describe('Stable, snake_case: decide by it.'),
  reason: z.string().nullable().describe('`code` in a sentence for people.'),
  simulated: z.boolean().describe('Of a sandbox: nothing of it comes from WhatsApp, and it keeps no pace.'),
  allowances: z
    .object({
      first_contacts: Allowance.describe('Numbers that have never written to this phone.'),
      known: Allowance.describe('Numbers that have.'),
    })
    .describe('How much it may do today.'),
  delivered_share_24h: Share,
  answered_share_24h: Share,
  warm_up_day: z.int().describe('From 1 on; 29 is warm.'),
  is_protected: z.boolean().describe('Off: queued messages go as fast as they can.'),
  quiet_hours: z.boolean().describe('First contacts are written to between 9 and 20 h of their country alone.'),
  older_account: z.boolean().describe('The account was in use before it was linked: no day without first contacts.'),
});
export type PhoneHealth = z.infer<typeof PhoneHealth>;

/** The switches of its owner; see docs/numbers-health.md for the risks. */
export const PhoneProtection = z.object({
  is_protected: z.boolean().optional().describe('Whether it is kept from writing too much.'),
  quiet_hours: z
    .boolean()
    .optional()
    .describe('Whether first contacts are written to between 9 and 20 h of their country alone.'),
  older_account: z.boolean().optional().describe('Whether the account was in use before it was linked.'),
});
export type PhoneProtection = z.infer<typeof PhoneProtection>;

export const PhoneLogKind = z.enum([
  'linked',
  'refused',
  'time_lock',
  'cap',
  'locked',
  'look_ups_paused',
  'nothing_delivered',
  'step',
  'recovered',
]);
export type PhoneLogKind = z.infer<typeof PhoneLogKind>;

export const PhoneLogEntry = z.object({
  id: Id.describe('Its id.'),
  at: Timestamp.describe('When it was made.'),
  kind: PhoneLogKind.describe('What it was, for programs.'),
  message: z.string().describe('What WhatsApp said, or what became of the number, in a sentence.'),
  effect: z.string().describe('What followed from it, in a sentence.'),
  number: z.string().nullable().describe('Whom it was about, digits.'),
  until: Timestamp.nullable().describe('Until when WhatsApp says that it lasts.'),
});
export type PhoneLogEntry = z.infer<typeof PhoneLogEntry>;

const WarmUpStep = z.object({
  from_day: z.int().positive().describe('The day of the warm-up on which it begins.'),
  first_contacts: z.int().positive().describe('First contacts a day.'),
  known: z.int().positive().describe('Messages a day to people who have written.'),
});

export const PhoneHealthHistory = z.object({
  warm_up: z
    .object({
      day: z.int().positive().describe('Of the warm-up; its last step begins on the last `from_day`.'),
      steps: z.array(WarmUpStep).describe('What the number may send a day, from which day on.'),
      next_step_on: z.iso
        .date()
        .nullable()
        .describe('If the number stays well; null: it is warm, or does not warm up now.'),
    })
    .nullable()
    .describe('Null until the number has been linked.'),
  days: z
    .array(
      z.object({
        date: z.iso.date().describe("In the account's time zone."),
        sent: z.int().nonnegative().describe('How many were sent.'),
        delivered: z.int().nonnegative().describe('Of those that were sent on this day.'),
        answered: z.int().nonnegative().describe('Of those that were sent on this day.'),
      }),
    )
    .describe('The last 14 days, today the last.'),
});
export type PhoneHealthHistory = z.infer<typeof PhoneHealthHistory>;
