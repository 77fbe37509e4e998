import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageSource, MessageType } from './message-content.ts';
import { Message, MessageDirection, MessageStatus } from './messages.ts';
import { metadataKey } from './new-message.ts';
import { Id, IdCursor, IdParam, Moment, pageQuery } from './page.ts';
import { digitsToFind } from './understand-number.ts';

/** `order_id:42`: the key, a colon, the value. */
const MetadataPair = z
  .string()
  .max(600)
  .refine((pair) => metadataKey.test(pair.split(':', 1)[0] ?? '') && pair.includes(':'), 'Write it as key:value')
  .transform((pair): [key: string, value: string] => {
    const colon = pair.indexOf(':');
    return [pair.slice(0, colon), pair.slice(colon + 1)];
  });

/** A profile that messages went to or came from, where it has a name. */
export const NamedProfile = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
});
export type NamedProfile = z.infer<typeof NamedProfile>;

const filters = {
  project_id: IdParam.optional().describe('Those of this project alone.'),
  direction: MessageDirection.optional().describe('Those in this direction alone.'),
  status: MessageStatus.optional().describe('Those with this status alone.'),
  type: MessageType.optional().describe('Those of this kind alone.'),
  source: MessageSource.optional().describe('Those that this had sent.'),
  search: z
    .string()
    .trim()
    .min(1, 'Enter something to look for')
    .max(100, 'Use at most 100 characters')
    .optional()
    .describe('Part of the text, or of the name or the number of who it went to or came from.'),
  number: z
    .string()
    .max(40)
    .transform(digitsToFind)
    .pipe(z.string().min(1, 'Enter some digits of a number'))
    .optional()
    .describe('Whole, or a part of it; only its digits count.'),
  text: z
    .string()
    .trim()
    .min(1, 'Enter some text')
    .max(200)
    .optional()
    .describe('A part of the text, whatever its case.'),
  campaign_id: IdParam.optional().describe('Those of this campaign alone.'),
  flow_id: IdParam.optional().describe('Those of this flow alone.'),
  metadata: z
    .union([MetadataPair.transform((pair) => [pair]), z.array(MetadataPair).max(5)], 'Write up to 5 as key:value')
    .optional()
    .describe('All of those given.'),
  created_after: Moment.optional().describe('At that moment or later.'),
  created_before: Moment.optional().describe('Before that moment.'),
};

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/messages',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: 'Messages, newest first, from a cursor on; of all projects, or of the one that a key belongs to',
  query: z.object({
    ...filters,
    after: IdCursor,
    limit: pageQuery(50).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(Message).describe('The entries.'),
      profiles: z.array(NamedProfile).describe('The names of those whom the messages of the page are about.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const exportMessages = endpoint({
  method: 'GET',
  path: '/api/messages/export',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: 'The same messages as CSV, all of them; cells that a spreadsheet would run begin with an apostrophe',
  query: z.object(filters),
  produces: 'text/csv',
  response: { 200: z.string() },
});
