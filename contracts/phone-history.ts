import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Timestamp } from './page.ts';
import { phoneParams } from './phone-numbers.ts';

/** The most that is taken over for one link. */
export const historyLimits = { days: 30, chats: 2_000, messages: 20_000, fileBytes: 200 * 1024 * 1024 };

export const HistoryState = z.enum(['none', 'running', 'done', 'full', 'incomplete']);
export type HistoryState = z.infer<typeof HistoryState>;

/** How far the chats of before the link have been taken over. */
export const PhoneHistory = z.object({
  is_wanted: z
    .boolean()
    .describe(
      'Whether the project takes chats over (`import_history`). Of a number of the official API always: its owner chooses in ' +
        'the WhatsApp Business app.',
    ),
  state: HistoryState.describe(
    '`none`: nothing was taken over with the last link; `full`: there were more than are taken; `incomplete`: WhatsApp did ' +
      'not give all of it.',
  ),
  percent: z.int().min(0).max(100).nullable().describe('As the handset says; null where it does not.'),
  chats: z.int().nonnegative().describe('Conversations that something was taken over of.'),
  messages: z.int().nonnegative().describe('Messages that were taken over.'),
  since: Timestamp.nullable().describe('From when on messages are taken over.'),
  begun_at: Timestamp.nullable().describe('When the handset began to share them.'),
  ended_at: Timestamp.nullable().describe('When all of it was taken over; null while there may be more.'),
});
export type PhoneHistory = z.infer<typeof PhoneHistory>;

export const getPhoneHistory = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/history',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: 'How far the chats of the last 30 days before a number was linked have been taken over into the inbox',
  params: phoneParams,
  response: { 200: PhoneHistory },
});
