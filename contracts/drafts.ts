import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';

export const DraftKind = z.enum([
  'campaign',
  'flow',
  'segment',
  'template',
  'whatsapp_template',
  'profile',
  'webhook_endpoint',
  'project',
]);
export type DraftKind = z.infer<typeof DraftKind>;

const maxContentLength = 65_536;

const DraftContent = z
  .record(z.string(), z.unknown(), 'The content must be a JSON object')
  .refine((content) => JSON.stringify(content).length <= maxContentLength, 'A draft takes at most 64 KiB')
  .describe('What is typed, as the page has it: at most 64 KiB of JSON.');

const shape = {
  kind: DraftKind.describe('Of what.'),
  key: z.string().describe('`new`, or the id of the thing that is changed; `new:7` for something new of project 7.'),
  revision: Id.describe('Another one after each save.'),
  updated_at: Timestamp.describe('When it was changed last.'),
};

const KeptDraft = z.object({ ...shape, name: z.string().nullable().describe('What the draft calls the thing.') });
export type KeptDraft = z.infer<typeof KeptDraft>;

export const Draft = z.object({
  ...shape,
  content: z.record(z.string(), z.unknown()).describe('What is typed, as the page has it.'),
});
export type Draft = z.infer<typeof Draft>;

const params = z.object({
  kind: DraftKind.describe('Of what.'),
  key: z
    .string()
    .regex(/^[\w:.-]{1,64}$/, 'Use letters, digits, and : . _ - only')
    .describe('`new`, or the id of the thing that is changed.'),
});

const ownDrafts = { callers: ['user'], permission: 'self:write', needsSubscription: false } as const;
const because = 'A draft is seen by the person alone, and changes nothing of the account.';

export const listDrafts = endpoint({
  ...ownDrafts,
  method: 'GET',
  path: '/api/drafts',
  permission: 'self:read',
  summary: 'Your drafts in this account, the latest first, without their content; at most 100, kept for 30 days',
  query: z.object({ kind: DraftKind.optional().describe('Of what; all where it is absent.') }),
  response: { 200: listOf(KeptDraft) },
});

export const getDraft = endpoint({
  ...ownDrafts,
  method: 'GET',
  path: '/api/drafts/{kind}/{key}',
  permission: 'self:read',
  summary: 'One of your drafts',
  params,
  response: { 200: Draft },
});

export const saveDraft = endpoint({
  ...ownDrafts,
  method: 'PUT',
  path: '/api/drafts/{kind}/{key}',
  audit: { act: 'user.draft_saved', row: 'none', because },
  summary: 'Keep what is typed; the draft that was left alone longest goes where a person has 100 already',
  params,
  body: z.object({
    content: DraftContent,
    revision: Id.nullable().describe(
      'The revision that the text is a change of; null where no draft was found. Another one answers 409, with the ' +
        'draft as it is now in `draft`: take either, and save it with that revision.',
    ),
  }),
  response: { 200: Draft },
  errors: ['draft_changed'],
});

export const deleteDraft = endpoint({
  ...ownDrafts,
  method: 'DELETE',
  path: '/api/drafts/{kind}/{key}',
  audit: { act: 'user.draft_discarded', row: 'none', because },
  summary: 'Discard a draft: it was saved as the thing itself, or is not wanted; nothing where there is none',
  params,
  query: z.object({
    revision: IdParam.optional().describe('Only this revision: 409 where the draft was changed since.'),
  }),
  response: { 204: undefined },
  errors: ['draft_changed'],
});
