import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { IdParam, Id, Timestamp, WholeNumber } from './page.ts';
import { PhoneText } from './phone-numbers.ts';
import { isStorable, notStorable } from './conditions.ts';

const Count = z.int().nonnegative();

/** A subject of messages that people take or leave by itself: offers, order updates, an event. */
export const Topic = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('As people read it on their preferences page.'),
  description: z.string().nullable().describe('A sentence below the name on that page.'),
  needs_opt_in: z
    .boolean()
    .describe('Whether only people who opted in get it. False: everybody does who has not opted out of it.'),
  opted_in_count: Count.describe('How many numbers have opted in.'),
  opted_out_count: Count.describe('How many numbers have opted out.'),
  created_at: Timestamp.describe('When it was made.'),
  updated_at: Timestamp.describe('When it was changed last.'),
});
export type Topic = z.infer<typeof Topic>;

export const ConsentState = z.enum(['opted_in', 'opted_out']);
export type ConsentState = z.infer<typeof ConsentState>;

/** How a consent came about: on the preferences page, by a person of the account, a program, a file. */
export const ConsentSource = z.enum(['page', 'user', 'api', 'import']);
export type ConsentSource = z.infer<typeof ConsentSource>;

/** Proof that it was given, as far as there is any. */
export const ConsentEvidence = z.object({
  actor: z.string().nullable().describe('Who noted it, of the account; null on the preferences page and of programs.'),
  text: z.string().nullable().describe('The words that the person agreed to or wrote.'),
  address: z.string().nullable().describe('The address of the request, where the person made it on the page.'),
});
export type ConsentEvidence = z.infer<typeof ConsentEvidence>;

/** A number's word on a topic. */
export const Consent = z.object({
  topic_id: Id.describe('Which topic.'),
  phone: z.string().describe('In digits; the other ways to write the same handset are meant too.'),
  state: ConsentState.describe('What was said of the topic.'),
  by: ConsentSource.describe('How it came about.'),
  at: Timestamp.describe('When the person said so.'),
  note: z.string().nullable().describe('Why, in words of your own; null for none.'),
  evidence: ConsentEvidence.describe('What shows that it was said.'),
});
export type Consent = z.infer<typeof Consent>;

/** A line of the log of a number. */
export const ConsentEvent = z.object({
  topic_id: Id.describe('Which topic.'),
  topic_name: z.string().describe('Its name at that time.'),
  state: ConsentState.describe('What was said.'),
  by: ConsentSource.describe('How it came about.'),
  at: Timestamp.describe('When it was made.'),
  note: z.string().nullable().describe('Why, in words of your own; null for none.'),
  evidence: ConsentEvidence.describe('What shows that it was said.'),
});
export type ConsentEvent = z.infer<typeof ConsentEvent>;

const TopicName = z
  .string('Enter a name')
  .trim()
  .min(1, 'Enter a name')
  .max(60, 'Use at most 60 characters')
  .refine(isStorable, notStorable);
const TopicDescription = z
  .string('Enter text')
  .trim()
  .max(200, 'Use at most 200 characters')
  .refine(isStorable, notStorable)
  .transform((text) => text || null)
  .nullable();

export const NewTopic = z.object({
  name: TopicName.describe('Its name, for people.'),
  description: TopicDescription.optional().describe('What it is for.'),
  needs_opt_in: z.boolean('Enter true or false').default(false).describe('Only who has opted in gets its messages.'),
});
export type NewTopic = z.output<typeof NewTopic>;

export const TopicChange = z.object({
  name: TopicName.optional().describe('Its name, for people.'),
  description: TopicDescription.optional().describe('What it is for.'),
  needs_opt_in: z.boolean('Enter true or false').optional().describe('Only who has opted in gets its messages.'),
});
export type TopicChange = z.output<typeof TopicChange>;

const Words = z.string().trim().max(500, 'Use at most 500 characters').refine(isStorable, notStorable);

const namesEachOnce = (topics: readonly { topic_id: number }[]) =>
  new Set(topics.map(({ topic_id: id }) => id)).size === topics.length;

export const ConsentChange = z.object({
  topics: z
    .array(
      z.object({ topic_id: Id.describe('Which topic.'), state: ConsentState.describe('What was said of the topic.') }),
      'Enter a list of topics',
    )
    .min(1, 'Name at least one topic')
    .max(50, 'Name at most 50 topics')
    .refine(namesEachOnce, 'Name each topic once')
    .describe('The topics that change.'),
  note: Words.nullable().optional().describe('How it came about. Needed where it lifts an opt-out.'),
  text: Words.nullable().optional().describe('The words that the person agreed to or wrote.'),
  at: z.iso
    .datetime({ offset: true, error: 'Enter a date and time, ISO 8601' })
    .optional()
    .describe('When the person said so; now unless it is named. An older word than the last one changes nothing.'),
});
export type ConsentChange = z.output<typeof ConsentChange>;

/** The topics that a number gets, and why. */
export const NumberTopics = z.object({
  phone: z.string().describe('The full number with the calling code, digits.'),
  opted_out: z.boolean().describe('It has opted out of everything: no topic reaches it.'),
  topics: z
    .array(
      z.object({
        topic_id: Id.describe('Which topic.'),
        name: z.string().describe('Its name, for people.'),
        description: z.string().nullable().describe('What it is for.'),
        receives: z.boolean().describe('Whether messages of this topic go to it.'),
        consent: Consent.nullable().describe('Null: it has said nothing of this topic.'),
      }),
    )
    .describe('What the number said of each topic.'),
  log: z.array(ConsentEvent).describe('The latest 100 lines first.'),
  preferences_url: z
    .string()
    .nullable()
    .describe(
      'The page on which this person decides for themselves, for whom it is and for no one else. Null for a caller ' +
        'without `contacts:write`.',
    ),
});
export type NumberTopics = z.infer<typeof NumberTopics>;

/** The topic of a campaign, a flow or a bulk run. */
export const topicOfSource = Id.nullable().describe(
  'What it is about: who has opted out of the topic, or has not opted in where it needs that, is skipped. Null: none.',
);

export const GivenTopic = z.int('Choose a topic').positive('Choose a topic').nullable().optional();

const common = { callers: ['user', 'api_key', 'project_key'], needsSubscription: true } as const;
const topicParams = z.object({ topicId: IdParam.describe('The id of a topic.') });
const phoneParams = z.object({ phone: PhoneText });

export const listTopics = endpoint({
  ...common,
  method: 'GET',
  path: '/api/topics',
  permission: 'contacts:read',
  summary: 'The topics of the account, by name',
  response: { 200: z.object({ data: z.array(Topic).describe('The entries.') }) },
});

export const createTopic = endpoint({
  ...common,
  method: 'POST',
  path: '/api/topics',
  audit: 'topic.created',
  idempotency: 'atomic',
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  summary: 'A topic that people can take or leave by itself; at most 50',
  body: NewTopic,
  response: { 201: Topic },
});

export const updateTopic = endpoint({
  ...common,
  method: 'PATCH',
  path: '/api/topics/{topicId}',
  audit: 'topic.changed',
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  summary: 'Change what the body names',
  params: topicParams,
  body: TopicChange,
  response: { 200: Topic },
});

export const deleteTopic = endpoint({
  ...common,
  method: 'DELETE',
  path: '/api/topics/{topicId}',
  audit: 'topic.deleted',
  permission: 'contacts:write',
  summary:
    'Remove a topic: nobody is asked for it any more, and nothing new can name it. What names it already goes on ' +
    'keeping to what people said',
  params: topicParams,
  response: { 204: undefined },
});

export const listConsents = endpoint({
  ...common,
  method: 'GET',
  path: '/api/topics/{topicId}/consents',
  acrossProjects: true,
  reads: 'page',
  permission: 'contacts:read',
  summary: 'What numbers said of a topic, the latest first; `after` is the `next_cursor` of the page before',
  params: topicParams,
  query: z.object({
    state: ConsentState.optional().describe('Those who said this alone.'),
    search: z.string().trim().max(40, 'Use at most 40 characters').optional().describe('Part of a number.'),
    after: WholeNumber.optional().describe('The `next_cursor` of the page before.'),
    limit: WholeNumber.pipe(z.int().min(1, 'Use 1 to 100').max(100, 'Use 1 to 100'))
      .default(50)
      .describe('How many, up to 100.'),
  }),
  response: {
    200: z.object({
      data: z.array(Consent).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const getNumberTopics = endpoint({
  ...common,
  method: 'GET',
  path: '/api/consents/{phone}',
  permission: 'contacts:read',
  summary: 'What a number gets of each topic, what it said of them, and its preferences page',
  params: phoneParams,
  response: { 200: NumberTopics },
});

export const putNumberTopics = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/consents/{phone}',
  audit: 'consent.noted',
  permission: 'contacts:write',
  changesContact: true,
  answerNeeds: 'contacts:read',
  summary: 'Note what a number said of some topics, with its evidence',
  params: phoneParams,
  body: ConsentChange,
  response: { 200: NumberTopics },
  errors: ['number_not_clear'],
});

export const getProfileTopics = endpoint({
  ...common,
  method: 'GET',
  path: '/api/profiles/{profileId}/topics',
  permission: 'contacts:read',
  summary: "The same of a profile's number",
  params: z.object({ profileId: IdParam.describe('Which profile.') }),
  response: { 200: NumberTopics },
});

export const putProfileTopics = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/profiles/{profileId}/topics',
  audit: 'profile.topics_changed',
  permission: 'contacts:write',
  changesContact: true,
  answerNeeds: 'contacts:read',
  summary: 'Note what a person said of some topics, with its evidence',
  params: z.object({ profileId: IdParam.describe('Which profile.') }),
  body: ConsentChange,
  response: { 200: NumberTopics },
});
