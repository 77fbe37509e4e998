import { z } from 'zod';
import { entryCursor, entryPageQuery, entryQuery, RecipientStatus } from './campaigns.ts';
import { boundTemplateField, templateErrors } from './bound-templates.ts';
import { carriedFields, carriedTextRule } from './carried-content.ts';
import { CarriedMedia } from './carried-media.ts';
import { endpoint } from './endpoint.ts';
import { entryErrorCode, skips } from './skip-codes.ts';
import { MessageStatus } from './messages.ts';
import { Id, IdParam, pageOf, pageQuery, Timestamp, WholeNumber } from './page.ts';
import { PhoneText } from './phone-numbers.ts';
import { ListSearch, SortOrder } from './list-query.ts';
import { CountryCode } from './accounts.ts';
import { Report } from './reports.ts';
import { Review } from './reviews.ts';
import { GivenTopic, topicOfSource } from './topics.ts';
import { WaitingReason } from './waiting-reason.ts';

/**
 * `draft`: nothing is sent before it is started; `running`, `paused`; `completed`: every row has been dealt with;
 * `stopped`: what was left is not sent.
 */
export const BulkRunStatus = z.enum(['draft', 'running', 'paused', 'completed', 'stopped']);
export type BulkRunStatus = z.infer<typeof BulkRunStatus>;

/** `total_count` = `waiting_count` + `sent_count` + `failed_count` + `skipped_count`, at any moment. */
export const BulkRun = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  project_id: Id.describe('Of which project.'),
  message: z.string().describe('The text.'),
  media: CarriedMedia.nullable().describe('The file that every message carries.'),
  template: boundTemplateField,
  delay_ms: z.int().nonnegative().describe('The least time between two messages, milliseconds.'),
  topic_id: topicOfSource,
  status: BulkRunStatus.describe('How far it has come, or how it is now.'),
  waiting_for: WaitingReason.nullable().describe('What keeps it from going on; null when nothing does.'),
  waiting_until: Timestamp.nullable().describe('When it goes on at the soonest, where that is known.'),
  columns: z.array(z.string()).describe('The columns of its rows, each of which is a placeholder, in small letters.'),
  is_uploading: z.boolean().describe('Its rows are being read, or reading them broke off.'),
  total_count: z.int().nonnegative().describe('How many it is for.'),
  sent_count: z.int().nonnegative().describe('How many the network took.'),
  failed_count: z.int().nonnegative().describe('How many failed.'),
  skipped_count: z.int().nonnegative().describe('Invalid numbers, people who opted out, empty messages.'),
  waiting_count: z.int().nonnegative().describe('How many still wait.'),
  created_at: Timestamp.describe('When it was made.'),
  started_at: Timestamp.nullable().describe('When it began; null until then.'),
  finished_at: Timestamp.nullable().describe('When it was over; null until then.'),
});
export type BulkRun = z.infer<typeof BulkRun>;

/** The `data` of its events. */
export const BulkRunEvent = BulkRun.extend({ skips });
export type BulkRunEvent = z.infer<typeof BulkRunEvent>;

const RunName = z.string('Enter a name').trim().min(1, 'Enter a name').max(120, 'Use at most 120 characters');
const Delay = z.int('Enter whole milliseconds').min(0, 'Enter 0 or more').max(86_400_000, 'Use at most a day');

/** The values of a row's placeholders, by their names. */
const RowFields = z
  .record(z.string().trim().min(1).max(200, 'Use at most 200 characters'), z.string().max(4096))
  .refine((fields) => Object.keys(fields).length <= 100, 'Use at most 100 fields');

export const maxBodyRows = 1000;

const Settings = z.object({
  name: RunName.describe('Its name, for people.'),
  project_id: z.int('Choose a project').positive('Choose a project').describe('Of which project.'),
  ...carriedFields,
  delay_ms: Delay.describe('The least time between two messages, milliseconds.'),
  topic_id: GivenTopic.describe('Which topic.'),
});

export const NewBulkRun = Settings.extend({
  name: RunName.optional().describe('Its name, for people.'),
  delay_ms: Delay.default(1000).describe('The least time between two messages, milliseconds.'),
  rows: z
    .array(
      z.object({
        to: PhoneText,
        fields: RowFields.default({}).describe('What fills the placeholders, by their names.'),
      }),
    )
    .max(maxBodyRows, `Use at most ${maxBodyRows} rows, or upload a file`)
    .optional()
    .describe('Whom it goes to, where that is no file.'),
}).superRefine(...carriedTextRule);
export type NewBulkRun = z.output<typeof NewBulkRun>;

export const BulkRunChange = Settings.partial();
export type BulkRunChange = z.output<typeof BulkRunChange>;

export const BulkRow = z.object({
  row: z.int().positive().describe('Its place among the data rows of the file, from 1.'),
  phone: z.string().describe('Full number in digits; of an invalid one what it comes down to.'),
  name: z.string().nullable().describe('Its name, for people.'),
  status: RecipientStatus.describe('How far it has come, or how it is now.'),
  message_status: MessageStatus.nullable().describe('How far the message itself has come.'),
  message_id: Id.nullable().describe('The message that it became; null before that.'),
  error: z.string().nullable().describe('Why it failed or was skipped.'),
  error_code: entryErrorCode,
  changed_at: Timestamp.nullable().describe('When the status became what it is; null while waiting.'),
  replied_at: Timestamp.nullable().describe(
    'When this person first answered, within 7 days and before something else wrote to them; null: not so far.',
  ),
  clicked_at: Timestamp.nullable().describe('When this person first opened a link of it; null: not so far.'),
});
export type BulkRow = z.infer<typeof BulkRow>;

/** The outcome of a row, for a page that shows all of them. */
export const BulkRowChange = z.object({
  row: z.int().positive().describe('Which row.'),
  status: RecipientStatus.describe('How far it has come, or how it is now.'),
  error: z.string().nullable().describe('Why it failed, a sentence; null or absent while it has not.'),
});
export type BulkRowChange = z.infer<typeof BulkRowChange>;

export const bulkRunParams = z.object({ runId: IdParam.describe('Which bulk run.') });

const common = {
  callers: ['user', 'api_key', 'project_key'],
  needsSubscription: true,
} as const;

export const listBulkRuns = endpoint({
  ...common,
  method: 'GET',
  path: '/api/bulk-runs',
  reads: 'page',
  permission: 'campaigns:read',
  summary: 'Bulk runs, newest first unless it says otherwise',
  query: z.object({
    ...pageQuery(20),
    search: ListSearch.describe('Words of the name, or their parts, in any order and case, with or without accents.'),
    status: BulkRunStatus.optional().describe('Those with this status alone.'),
    sort: z.enum(['created', 'name']).default('created').describe('What it is sorted by.'),
    order: SortOrder.optional().describe('Descending unless it says otherwise for times, ascending for text.'),
  }),
  response: { 200: pageOf(BulkRun) },
});

export const createBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs',
  audit: 'bulk_run.created',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Prepare a run: its message, and its rows or a file to come; nothing is sent before it is started',
  maxValues: 100_000,
  body: NewBulkRun,
  response: { 201: BulkRun },
  errors: ['number_not_clear', ...templateErrors],
});

export const getBulkRun = endpoint({
  ...common,
  method: 'GET',
  path: '/api/bulk-runs/{runId}',
  permission: 'campaigns:read',
  summary: 'One bulk run',
  params: bulkRunParams,
  response: { 200: BulkRun },
});

export const updateBulkRun = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/bulk-runs/{runId}',
  audit: 'bulk_run.changed',
  permission: 'campaigns:write',
  summary: 'The name always, the rest before it is started',
  params: bulkRunParams,
  body: BulkRunChange,
  response: { 200: BulkRun },
  errors: ['bulk_run_started', ...templateErrors],
});

export const uploadBulkRows = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/bulk-runs/{runId}/rows',
  audit: { act: 'bulk_run.rows_uploaded', row: 'none', because: 'A draft sends nothing: its start is recorded.' },
  permission: 'campaigns:write',
  summary:
    'Give it the rows of a CSV file with a column phone and, optional, country_code, in place of those it has; ' +
    'a column #row keeps the numbers that rows have elsewhere',
  params: bulkRunParams,
  query: z.object({
    default_country: CountryCode.optional().describe(
      'Two letters: where the file has no column country_code, numbers that are no full number and that the account does not know are read as national ones ' +
        "of this country; without it, of the account's `default_country`. What is neither is skipped as invalid.",
    ),
  }),
  consumes: 'text/csv',
  response: { 200: BulkRun },
  errors: ['bulk_run_started', 'invalid_csv', 'file_too_large', 'storage_quota_reached'],
});

export const previewBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/preview',
  audit: 'nothing',
  reads: 'scan',
  permission: 'campaigns:read',
  summary: 'Which rows would get a message, how it reads, and when all would have it',
  params: bulkRunParams,
  body: Settings.omit({ name: true }).partial(),
  response: { 200: Review },
  errors: ['too_costly', ...templateErrors],
});

export const getBulkRunReport = endpoint({
  method: 'GET',
  path: '/api/bulk-runs/{runId}/report',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'What came of a bulk run: how far its messages came, when, and why some failed',
  params: bulkRunParams,
  response: { 200: Report },
});

export const retryFailedRows = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/retry-failed',
  audit: 'bulk_run.retried',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Send those rows again whose message failed in a way that another attempt may mend',
  params: bulkRunParams,
  response: { 200: BulkRun },
  errors: ['nothing_to_retry', 'bulk_run_not_running'],
});

export const duplicateBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/duplicate',
  audit: 'bulk_run.duplicated',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Prepare another run with the same message and the same rows; nothing is sent before it is started',
  params: bulkRunParams,
  response: { 201: BulkRun },
  errors: ['bulk_run_uploading', 'storage_quota_reached', ...templateErrors],
});

export const startBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/start',
  audit: 'bulk_run.started',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Begin to send',
  params: bulkRunParams,
  response: { 200: BulkRun },
  errors: ['bulk_run_started', 'bulk_run_empty', 'bulk_run_uploading', ...templateErrors],
});

export const pauseBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/pause',
  audit: 'bulk_run.paused',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Hand out no more messages until it is resumed; those that no phone has tried to send wait, too',
  params: bulkRunParams,
  response: { 200: BulkRun },
  errors: ['bulk_run_not_running'],
});

export const resumeBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/resume',
  audit: 'bulk_run.resumed',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Go on with a paused run',
  params: bulkRunParams,
  response: { 200: BulkRun },
  errors: ['bulk_run_not_paused', ...templateErrors],
});

export const stopBulkRun = endpoint({
  ...common,
  method: 'POST',
  path: '/api/bulk-runs/{runId}/stop',
  audit: 'bulk_run.stopped',
  idempotency: 'atomic',
  permission: 'campaigns:write',
  summary: 'Stop for good: rows that still wait are skipped',
  params: bulkRunParams,
  response: { 200: BulkRun },
  errors: ['bulk_run_not_running'],
});

export const deleteBulkRun = endpoint({
  ...common,
  method: 'DELETE',
  path: '/api/bulk-runs/{runId}',
  audit: 'bulk_run.deleted',
  permission: 'campaigns:write',
  summary: 'Delete a run and its rows: what is left is not sent, what was sent stays in the records',
  params: bulkRunParams,
  response: { 204: undefined },
});

export const listBulkRows = endpoint({
  ...common,
  method: 'GET',
  path: '/api/bulk-runs/{runId}/rows',
  reads: 'page',
  permission: 'campaigns:read',
  summary: 'Its rows in their order, and what became of each',
  params: bulkRunParams,
  query: z.object(entryPageQuery),
  response: { 200: pageOf(BulkRow).extend({ next_cursor: entryCursor }) },
});

export const listBulkRowChanges = endpoint({
  ...common,
  method: 'GET',
  path: '/api/bulk-runs/{runId}/rows/changes',
  reads: 'page',
  permission: 'campaigns:read',
  summary: 'What has become of rows since an earlier answer, up to 2,000 at a time; some may come again',
  params: bulkRunParams,
  query: z.object({
    since: z.iso
      .datetime({ offset: true, error: 'Enter a date and time, ISO 8601' })
      .optional()
      .describe('From that moment on.'),
    after: WholeNumber.pipe(z.int().nonnegative()).default(0).describe('The last row of the answer before.'),
  }),
  response: {
    200: z.object({
      data: z.array(BulkRowChange).describe('The entries.'),
      next: z
        .object({
          since: Timestamp.describe('From that moment on.'),
          after: z.int().nonnegative().describe('The `next_cursor` of the page before.'),
        })
        .nullable()
        .describe('For the next question; null: nothing has changed yet.'),
      has_more: z.boolean().describe('Whether to ask on at once.'),
    }),
  },
});

export const exportBulkRows = endpoint({
  ...common,
  method: 'GET',
  path: '/api/bulk-runs/{runId}/rows/export',
  permission: 'campaigns:read',
  summary: 'The result file: its rows as CSV with what became of each',
  params: bulkRunParams,
  query: z.object(entryQuery),
  produces: 'text/csv',
  response: { 200: z.string() },
});
