import { z } from 'zod';
import { CostEstimate } from './costs.ts';
import { FailureCode } from './failure-codes.ts';
import { LinkReport } from './links.ts';
import { Timestamp } from './page.ts';
import { SkipCode } from './skip-codes.ts';
import { WaitingReason } from './waiting-reason.ts';

const Count = z.int().nonnegative();

/** Failures of which another attempt may go well, and of which it is certain that nothing arrived. */
export const retryableCodes = [
  'network_refused',
  'account_restricted',
  'number_stopped',
  'look_ups_paused',
  'phone_deleted',
] as const satisfies readonly FailureCode[];

/** Why nothing was handed to a phone: a person paused it, or it waited. */
export const HoldKind = z.enum(['paused', ...WaitingReason.options]);
export type HoldKind = z.infer<typeof HoldKind>;

const ReportMinute = z.object({
  at: Timestamp.describe('When the span began.'),
  sent: Count.describe('Sent in this span.'),
  failed: Count.describe('Failed in this span.'),
  delivered: Count.describe('Delivered in this span.'),
  read: Count.describe('Read in this span.'),
  replied: Count.describe('Answers in this span.'),
});

/** The outcomes of a campaign, a flow or a bulk run so far. */
export const Report = z.object({
  as_of: Timestamp.describe('The moment of which all its figures are: they agree with each other.'),
  total: Count.describe('How many it is for.'),
  sent: Count.describe('How many the network took, and did not fail afterwards.'),
  delivered: Count.describe('How many of those arrived.'),
  read: Count.describe('How many of those were read, as far as recipients let senders know.'),
  replied: Count.describe('How many people answered within 7 days, before something else wrote to them.'),
  failed: Count.describe('How many failed.'),
  skipped: Count.describe('How many were left out.'),
  waiting: Count.describe('How many still wait.'),
  opted_out: Count.describe('How many people answered with a word that opts out.'),
  clicked: Count.describe('How many people opened a link, as far as previews of messengers can be told from people.'),
  links: z.array(LinkReport).describe('Its links, the most opened first; at most 50.'),
  over_time: z
    .object({
      step_hours: z.int().positive().describe('How long a span is.'),
      spans: z
        .array(
          z.object({
            at: Timestamp.describe('When the span began.'),
            sent: Count.describe('Sent in this span.'),
            delivered: Count.describe('Delivered in this span.'),
            read: Count.describe('Read in this span.'),
            replied: Count.describe('Answers in this span.'),
          }),
        )
        .describe('In their order.'),
    })
    .describe('What happened when, in spans of equal length; those in which nothing did are left out.'),
  by_minute: z
    .object({
      step_minutes: z.int().positive().describe('How long a span is.'),
      starts_at: Timestamp.describe('When the first span began.'),
      ends_at: Timestamp.describe('When the last one ends; never later than `as_of`.'),
      spans: z.array(ReportMinute).describe('In their order; those in which nothing happened are left out.'),
    })
    .nullable()
    .describe(
      'The time from the first message to the last, and a little longer, in short spans; null where sending takes more ' +
        'than a day, and before the first message.',
    ),
  holds: z
    .array(
      z.object({
        kind: HoldKind.describe('`paused` by a person, or what it waited for.'),
        began_at: Timestamp.describe('When it stopped.'),
        ended_at: Timestamp.nullable().describe('When it went on; null: it has not.'),
      }),
    )
    .describe('When nothing was handed to a phone, and why; the last 200 of the last 400 days.'),
  failures: z
    .array(
      z.object({
        code: FailureCode.nullable().describe('Null once the messages are deleted.'),
        reason: z.string().describe('A sentence for people.'),
        count: Count.describe('How many.'),
        can_retry: z.boolean().describe('Another attempt may go well.'),
      }),
    )
    .describe('Why messages failed, the most frequent reasons first.'),
  cost: CostEstimate.nullable().describe(
    'What the messages cost that Meta delivered and bills, by the price list; null where it counted none.',
  ),
  skips: z
    .array(
      z.object({
        code: SkipCode,
        reason: z.string().describe('A sentence for people.'),
        count: Count.describe('How many.'),
      }),
    )
    .describe('Why people were left out, the most frequent reasons first.'),
});
export type Report = z.infer<typeof Report>;
