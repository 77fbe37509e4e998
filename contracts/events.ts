import { z } from 'zod';
import { isStorable, notStorable } from './conditions.ts';
import { endpoint, lineOf } from './endpoint.ts';
import { listAnswer, ListCursor, ListSearch, listQuery } from './list-query.ts';
import { streamEvents } from './live.ts';
import { Id, IdParam, pageQuery, Timestamp } from './page.ts';
import { ExternalId, ProfilePhone } from './profiles.ts';

export const maxEventLines = 500;
export const maxEventNames = 1_000;
export const eventDaysBack = 90;
/** So far ahead of ours may a sender's clock be; the event counts as of now. */
export const eventSkewMs = 5 * 60_000;

const maxPropertiesBytes = 16_384;
const maxProperties = 200;
const maxPropertiesDepth = 5;
const maxKeyLength = 200;

/** `$` begins the names of what people do with messages. */
export const EventName = z
  .string('Enter the name of the event')
  .trim()
  .min(1, 'Enter the name of the event')
  .max(100, 'Use at most 100 characters')
  .refine(isStorable, notStorable);

/** Why an object cannot be stored as properties; undefined where it can. */
function propertiesProblem(properties: Record<string, unknown>): string | undefined {
  if (new TextEncoder().encode(JSON.stringify(properties)).length > maxPropertiesBytes)
    return 'Properties take at most 16 KiB';
  let count = 0;
  function visit(value: unknown, depth: number): string | undefined {
    if (typeof value === 'string' && !isStorable(value)) return notStorable;
    if (typeof value === 'number' && !Number.isFinite(value)) return 'A number is too large';
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= maxPropertiesDepth) return `Properties go at most ${maxPropertiesDepth} levels deep`;
    for (const [key, inner] of Object.entries(value)) {
      count += 1;
      if (count > maxProperties) return `Use at most ${maxProperties} properties`;
      if (!isStorable(key)) return notStorable;
      if (key.length > maxKeyLength) return `The name of a property takes at most ${maxKeyLength} characters`;
      const problem = visit(inner, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  return visit(properties, 0);
}

const Properties = z
  .record(z.string(), z.unknown(), 'Properties must be a JSON object')
  .superRefine((properties, { addIssue }) => {
    const message = propertiesProblem(properties);
    if (message !== undefined) addIssue({ code: 'custom', message });
  });

export const NewEvent = z
  .object({
    phone: ProfilePhone.optional().describe('An unknown number becomes a profile.'),
    profile_id: Id.optional().describe('The profile; null where there is none.'),
    external_id: ExternalId.optional().describe('The id of the person in the caller’s own system.'),
    event: EventName.refine((name) => !name.startsWith('$'), 'Names that begin with $ are kept for messages').describe(
      'The name of what happened, such as `Order placed`; at most 1,000 different ones an account.',
    ),
    properties: Properties.default({}).describe('More about it: at most 16 KiB, 200 properties and 5 levels.'),
    timestamp: z.iso
      .datetime({ offset: true, error: 'Enter a time, ISO 8601' })
      .optional()
      .describe('When it happened, at most 90 days ago; now, where it is left out.'),
    message_id: z
      .string()
      .trim()
      .min(1, 'Enter an id')
      .max(255, 'Use at most 255 characters')
      .refine(isStorable, notStorable)
      .optional()
      .describe('The event’s own id: for 7 days another one with it is not stored again.'),
  })
  .superRefine(({ phone, external_id: externalId, profile_id: profileId }, { addIssue }) => {
    if (phone === undefined && externalId === undefined && profileId === undefined)
      addIssue({ code: 'custom', path: ['phone'], message: 'Name the person by phone, external_id or profile_id' });
  });
export type NewEvent = z.output<typeof NewEvent>;

const EventStatus = z
  .enum(['accepted', 'duplicate'])
  .describe('A duplicate has the `message_id` of an event that is stored already, which `id` names.');

export const AcceptedEvent = z.object({
  id: Id.describe('Its id.'),
  profile_id: Id.describe('The profile of the person.'),
  status: EventStatus,
});
export type AcceptedEvent = z.infer<typeof AcceptedEvent>;

const audit = {
  act: 'profile.tracked',
  row: 'none',
  because: 'Programs tell what happens by the thousand: the event itself is the record.',
} as const;

export const track = endpoint({
  method: 'POST',
  path: '/api/track',
  audit,
  callers: ['user', 'api_key', 'project_key'],
  permission: 'events:write',
  needsSubscription: true,
  summary: 'Say what a person did: conditions count it, and it makes flows look at them',
  idempotency: 'recorded',
  body: NewEvent,
  response: { 202: AcceptedEvent },
  errors: ['profile_exists', 'event_names_limit', 'event_budget_reached'],
});

export const EventAnswer = z.object({
  index: z.int().nonnegative().describe("The line's place in the batch, from 0."),
  id: Id.optional().describe('Of the event; absent where the line was not taken.'),
  profile_id: Id.optional().describe('The profile; null where there is none.'),
  status: EventStatus.optional(),
  error: z
    .object({
      code: z.string().describe('Stable, snake_case: decide by it.'),
      message: z.string().describe('The text.'),
    })
    .optional()
    .describe('Why it failed, a sentence; null or absent while it has not.'),
});
export type EventAnswer = z.infer<typeof EventAnswer>;

export const trackBatch = endpoint({
  method: 'POST',
  path: '/api/events/batch',
  audit,
  callers: ['user', 'api_key', 'project_key'],
  permission: 'events:write',
  needsSubscription: true,
  summary: 'Say what people did, up to 500 events at once; a line of the answer each',
  idempotency: 'recorded',
  isJudgedByLine: true,
  maxValues: 100_000,
  body: z.object({
    events: z
      .array(lineOf(NewEvent))
      .min(1, 'Send at least one event')
      .max(maxEventLines, 'Send at most 500 events')
      .describe('The events, each as `POST /api/track` takes it.'),
  }),
  response: { 202: z.object({ data: z.array(EventAnswer).describe('The entries.') }) },
});

/** An event of a person. */
export const TrackedEvent = z.object({
  id: Id.describe('Its id.'),
  profile_id: Id.describe('The profile of the person.'),
  profile_name: z.string().nullable().describe('Null where the profile has none.'),
  phone: z.string().describe('Of the profile.'),
  event: z.string().describe('Its name.'),
  properties: z.record(z.string(), z.unknown()).describe('As they were told.'),
  timestamp: Timestamp.describe('When it happened.'),
  received_at: Timestamp.describe('When it was told.'),
  message_id: z.string().nullable().describe('The event’s own id, where it came with one.'),
});
export type TrackedEvent = z.infer<typeof TrackedEvent>;

export const listTrackedEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  asStream: streamEvents,
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary:
    'What people did, the latest first. Without a query, and asked for no `application/json`, it is the stream of ' +
    'live events, as with `accept: text/event-stream`',
  query: z.object({
    profile_id: IdParam.optional().describe('Of this person alone.'),
    name: EventName.optional().describe('With this name alone.'),
    from: z.iso.datetime({ offset: true }).optional().describe('From this moment on.'),
    to: z.iso.datetime({ offset: true }).optional().describe('Before this moment.'),
    after: ListCursor,
    limit: pageQuery(50).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(TrackedEvent).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const EventProperty = z.object({
  path: z.string().describe('As conditions name it: `properties.` and the name.'),
  types: z
    .array(z.enum(['string', 'number', 'boolean', 'object', 'array', 'null']))
    .describe('The JSON types that its values have.'),
  samples: z.array(z.string()).describe('Values of newer events, as text, at most 5.'),
  share: z.number().describe('How many of the newer events have it, from 0 to 1.'),
});
export type EventProperty = z.infer<typeof EventProperty>;

export const EventNameInUse = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  count: z.int().nonnegative().describe('How many there were, those included that are kept no longer.'),
  last_day: z.int().nonnegative().describe('How many came in the last 24 hours.'),
  first_seen_at: Timestamp.describe('When the first of them happened.'),
  last_seen_at: Timestamp.describe('When the latest of them happened.'),
  properties: z.array(EventProperty).describe('Of the newest events with this name.'),
  hours: z
    .array(z.int().nonnegative())
    .describe('How many came in each of the last 24 hours, the oldest first; empty unless one name is asked for.'),
});
export type EventNameInUse = z.infer<typeof EventNameInUse>;

const { search: _search, ...list } = listQuery(['count', 'name', 'last'], 'names');

export const listEventNames = endpoint({
  method: 'GET',
  path: '/api/event-names',
  acrossProjects: true,
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The names of events with their counts and properties, and how much room events take',
  query: z.object({
    ...list,
    search: ListSearch.describe('Part of a name, in any case.'),
    name: EventName.optional().describe('This name alone, with more about it.'),
  }),
  response: {
    200: listAnswer(EventNameInUse).extend({
      usage: z
        .object({
          names: z.int().nonnegative().describe('How many different names there are.'),
          most_names: z.int().positive().describe('How many there may be.'),
          bytes: z.int().nonnegative().describe('How much room the events take.'),
          most_bytes: z.int().positive().describe('Beyond it the oldest events go; their counts stay.'),
          kept_days: z.int().positive().describe('How long events are kept; their counts stay.'),
        })
        .describe('What the account uses of what it may.'),
    }),
  },
});
