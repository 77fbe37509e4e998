import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { phoneParams } from './phone-numbers.ts';

const count = z.int().nonnegative();

export const OfficialFigures = z.object({
  windows: z
    .object({
      open: count.describe('Contacts who can be answered freely now.'),
      by_hour: z
        .array(count)
        .describe('Those by the hours until their window shuts, 24 of them: the first shut within an hour.'),
      unread_within_hour: count.describe('Of the first: how many wrote something that nobody has read yet.'),
      wrote_today: count.describe("Contacts who wrote today, in the account's time zone."),
    })
    .describe('The 24-hour windows of its contacts.'),
  first_answers_7d: z
    .object({
      count: count.describe('Conversations that were answered for the first time.'),
      median_seconds: count.nullable().describe('From the first message to the answer; null without any.'),
    })
    .describe('Of the last 7 days.'),
  sent_24h: count.describe('Messages of the last 24 hours that Meta took.'),
  delivered_24h: count.describe('How many of those were delivered.'),
  templates_delivered_7d: count.describe('Templates of the last 7 days that were delivered.'),
  templates_read_7d: count.describe('How many of those were read, as far as people let it be known.'),
});
export type OfficialFigures = z.infer<typeof OfficialFigures>;

export const getOfficialFigures = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/figures',
  reads: 'scan',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: 'The 24-hour windows of a number of the official API, how soon it answers, and how its messages fare',
  params: phoneParams,
  response: { 200: OfficialFigures },
  errors: ['not_an_official_number'],
});
