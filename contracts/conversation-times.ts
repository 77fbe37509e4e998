import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam } from './page.ts';

/** As many days as one answer covers. */
export const mostDays = 92;

const Day = z.iso
  .date('Enter a day as YYYY-MM-DD')
  .refine((day) => day >= '2020-01-01' && day < '2100-01-01', 'Enter a day between 2020 and 2099');

const duration = z.int().nonnegative().nullable();

/**
 * First answers and ends of conversations. A conversation is counted when the person begins it, or writes again after it was done;
 * it is answered by the first message that somebody sends in the inbox or on the handset, and done when somebody says
 * so. Programs, campaigns and flows answer nothing.
 */
const figures = {
  answered_count: z.int().nonnegative().describe('First answers.'),
  first_answer_median_seconds: duration.describe('Half of them came sooner; null without any.'),
  first_answer_average_seconds: duration.describe('Null without any.'),
  done_count: z.int().nonnegative().describe('Conversations that were done.'),
  done_median_seconds: duration.describe('From their beginning; half of them took less time. Null without any.'),
  done_average_seconds: duration.describe('From their beginning; null without any.'),
};

const Member = z
  .object({ id: Id.describe("The user's."), name: z.string().describe('Its name, for people.') })
  .nullable()
  .describe('Null: on the handset, or by a program.');

export const TimesFigures = z.object(figures);
export type TimesFigures = z.infer<typeof TimesFigures>;
export const TimesOfMember = z.object({ member: Member, ...figures });
export type TimesOfMember = z.infer<typeof TimesOfMember>;
export const TimesOfDay = z.object({ date: z.string().describe('The day, YYYY-MM-DD.'), ...figures });
export type TimesOfDay = z.infer<typeof TimesOfDay>;
export const TimesEntry = z.object({ date: z.string().describe('The day, YYYY-MM-DD.'), member: Member, ...figures });
export type TimesEntry = z.infer<typeof TimesEntry>;

const timesQuery = z.object({
  from: Day.optional().describe('The first day, in the time zone of the account. Left out: 30 days up to `to`.'),
  to: Day.optional().describe(`The last day; at most ${mostDays} days in all. Left out: today.`),
  project_id: IdParam.optional().describe('Left out: all that the caller sees.'),
});
export type TimesQuery = z.output<typeof timesQuery>;

const access = { callers: ['user', 'api_key'], permission: 'messages:read', needsSubscription: true } as const;

export const getConversationTimes = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations/times',
  reads: 'scan',
  summary: 'Times to the first answer and until conversations were done, by day and member; kept for 400 days',
  query: timesQuery,
  response: {
    200: z.object({
      timezone: z.string().describe('Of the account: the days are its.'),
      from: z.string().describe('The first day.'),
      to: z.string().describe('The last day.'),
      total: TimesFigures.describe('Over all days and members.'),
      members: z.array(TimesOfMember).describe('Over all days, by name.'),
      days: z.array(TimesOfDay).describe('Over all members; days without any are left out.'),
      data: z.array(TimesEntry).describe('By day, then by name.'),
    }),
  },
});

export const exportConversationTimes = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations/times/export',
  summary: 'The same by day and member as CSV',
  query: timesQuery,
  produces: 'text/csv',
  response: { 200: z.string() },
});
