import { z } from 'zod';
import { ColumnType } from './column-types.ts';
import { endpoint } from './endpoint.ts';
import { parseFieldPath } from './field-path.ts';
import { Id, IdParam, listOf, pageOf, pageQuery, Timestamp } from './page.ts';
import { CountryCode } from './accounts.ts';

/**
 * ready → checking → checked → importing → completed. A check changes no profile and may be repeated with another plan;
 * an import may start without one.
 */
export const ImportStatus = z.enum(['ready', 'checking', 'checked', 'importing', 'completed', 'failed']);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** `skipped` is as it is stored already. */
export const RowOutcome = z.enum(['new', 'updated', 'skipped', 'invalid']);
export type RowOutcome = z.infer<typeof RowOutcome>;

/** `noted`: they are kept without some of their cells, or with a number that is not assignable. */
export const ReportedRows = z.enum([...RowOutcome.options, 'noted']);
export type ReportedRows = z.infer<typeof ReportedRows>;

/**
 * Where a column's cells go: a profile's own field, a part of the name, or `custom_fields.` and a path. A yes in
 * `opted_out` puts the number on the list of those who are left alone; a no takes nobody off. `tags`, with commas between,
 * come to those that the profile has. `topics.` and a topic's id: a yes opts the number in, a no out; an import never lifts
 * an opt-out.
 */
export const ImportField = z
  .string()
  .max(500, 'Use at most 500 characters')
  .refine(
    (field) =>
      ownFields.includes(field) || topicOfField(field) !== undefined || parseFieldPath(field)?.kind === 'custom',
    'Unknown field',
  );

const ownFields: readonly string[] = [
  'phone',
  'country_code',
  'name',
  'first_name',
  'last_name',
  'email',
  'language',
  'timezone',
  'external_id',
  'status',
  'tags',
  'opted_out',
];

/** The topic whose consents a column holds; undefined for other columns. */
export function topicOfField(field: string): number | undefined {
  const [, id] = /^topics\.([1-9]\d{0,14})$/.exec(field) ?? [];
  return id === undefined ? undefined : Number(id);
}

export const ImportPlan = z.object({
  fields: z
    .array(z.union([ImportField, z.null()]))
    .max(500)
    .describe(
      'One for each column of the file, in its order; null leaves the column out. A field of the profile (`phone`, ' +
        '`country_code`, `name`, `first_name`, `last_name`, `email`, `language`, `timezone`, `external_id`, `status`, ' +
        '`tags`, `opted_out`), `custom_fields.` and a path, or `topics.` and the id of a topic.',
    ),
  types: z
    .array(ColumnType)
    .max(500)
    .optional()
    .describe(
      'How the cells of each column are read, in the order of the columns; it counts for custom fields. A cell that does ' +
        'not read as its type is left out, and counted. An import, unlike a check, gives the type to a field that has none.',
    ),
  country_code: CountryCode.nullable()
    .optional()
    .describe(
      'The country in which numbers without a calling code are read, where the row names none and their digits are no ' +
        "full number; null: the account's `default_country`.",
    ),
});
export type ImportPlan = z.output<typeof ImportPlan>;

export const ImportColumn = z.object({
  header: z.string().describe('The head of the column.'),
  samples: z.array(z.string()).describe('The first few cells that are not empty.'),
  field: z.string().nullable().describe('Where it goes: guessed from the header until a plan says otherwise.'),
  type: ColumnType.describe('How its cells are read: as text until a plan says otherwise.'),
  suggested_type: ColumnType.describe('Another type where its first thousand cells read as that one and no other.'),
  suggested_country: z
    .string()
    .nullable()
    .describe(
      'Two letters: the country of most of the full numbers among its first cells, for a plan; it is used by none that does ' +
        'not name it. Null where the column holds no full numbers.',
    ),
  unread_cells: z
    .int()
    .nonnegative()
    .describe(
      'Cells that were left out, as they are no such value: of the check, then of the import. Of the column with the ' +
        'number: those that are kept although they are not assignable.',
    ),
});
export type ImportColumn = z.infer<typeof ImportColumn>;

export const ProfileImport = z.object({
  id: Id.describe('Its id.'),
  file_name: z.string().nullable().describe('What the file is called.'),
  status: ImportStatus.describe('How far it has come, or how it is now.'),
  columns: z.array(ImportColumn).describe('The columns of the file, in their order.'),
  country_code: z.string().nullable().describe('ISO 3166, two letters; null when nobody said.'),
  total_rows: z.int().nonnegative().describe('How many rows the file has.'),
  processed_rows: z.int().nonnegative().describe('Rows that this check or this import is done with.'),
  counts: z
    .object({
      new: z.int().nonnegative().describe('Rows that make a profile.'),
      updated: z.int().nonnegative().describe('Rows that change one.'),
      skipped: z.int().nonnegative().describe('How many are left out.'),
      invalid: z.int().nonnegative().describe('Rows that cannot be read.'),
    })
    .describe('Of the check while it runs and after it, then of the import.'),
  noted_rows: z
    .int()
    .nonnegative()
    .describe('Rows that are kept without some of their cells, or with a number that is not assignable.'),
  unassignable_numbers: z
    .int()
    .nonnegative()
    .describe(
      'Rows whose number no numbering plan assigns: their profiles have `phone_is_valid: false`, and nothing is sent to ' +
        'them by campaigns. Counted by the check, then by the import.',
    ),
  error: z.string().nullable().describe('Why it failed, a sentence.'),
  created_at: Timestamp.describe('When it was made.'),
  finished_at: Timestamp.nullable().describe('When it was over; null until then.'),
});
export type ProfileImport = z.infer<typeof ProfileImport>;

/** The `data` of the webhook `import.completed`. */
export const FinishedImport = ProfileImport.omit({ columns: true });
export type FinishedImport = z.infer<typeof FinishedImport>;

export const ImportRow = z.object({
  row: z.int().positive().describe('Counted from 1, the header row left out.'),
  cells: z.array(z.string()).describe('The cells of the row.'),
  outcome: RowOutcome.nullable().describe('Null until it has been checked or imported.'),
  reason: z.string().nullable().describe('Why it is invalid, a sentence.'),
  notes: z
    .array(z.string())
    .describe('Which of its cells were left out, or that its number is not assignable, and why, a sentence each.'),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const importParams = z.object({ importId: IdParam.describe('Which import.') });

export const uploadProfileImport = endpoint({
  method: 'POST',
  path: '/api/profiles/import',
  audit: { act: 'import.uploaded', row: 'none', because: 'An upload changes no contact before it is started.' },
  idempotency: 'recorded',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Hand over a CSV file, as the body: UTF-8 with a header row. No profile changes yet',
  query: z.object({
    file_name: z.string().trim().max(200).optional().describe('What the file is called, for people.'),
  }),
  consumes: 'text/csv',
  response: { 201: ProfileImport },
  errors: ['file_too_large', 'invalid_csv', 'storage_quota_reached'],
});

export const listProfileImports = endpoint({
  method: 'GET',
  path: '/api/profiles/imports',
  acrossProjects: true,
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The latest imports, newest first',
  response: { 200: listOf(ProfileImport) },
});

export const getProfileImport = endpoint({
  method: 'GET',
  path: '/api/profiles/imports/{importId}',
  acrossProjects: true,
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'How far an import has come',
  params: importParams,
  response: { 200: ProfileImport },
});

export const checkProfileImport = endpoint({
  method: 'POST',
  path: '/api/profiles/imports/{importId}/check',
  audit: 'nothing',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Find out in the background what each row would do, changing nothing (a dry run)',
  params: importParams,
  body: ImportPlan,
  response: { 202: ProfileImport },
  errors: ['import_running'],
});

export const runProfileImport = endpoint({
  method: 'POST',
  path: '/api/profiles/imports/{importId}/run',
  audit: 'import.started',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Import in the background, by this plan or the one it has',
  params: importParams,
  body: ImportPlan.partial(),
  response: { 202: ProfileImport },
  errors: ['import_running'],
});

export const deleteProfileImport = endpoint({
  method: 'DELETE',
  path: '/api/profiles/imports/{importId}',
  audit: 'import.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Stop an import and forget its file; profiles that it made stay',
  params: importParams,
  response: { 204: undefined },
});

export const listImportRows = endpoint({
  method: 'GET',
  path: '/api/profiles/imports/{importId}/rows',
  acrossProjects: true,
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The report, row by row',
  params: importParams,
  query: z.object({
    ...pageQuery(50),
    outcome: ReportedRows.optional().describe('Those with this outcome alone.'),
  }),
  response: { 200: pageOf(ImportRow) },
});

export const downloadRejectedRows = endpoint({
  method: 'GET',
  path: '/api/profiles/imports/{importId}/rejected',
  acrossProjects: true,
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The invalid rows as CSV: the row, the reason, then its cells',
  params: importParams,
  produces: 'text/csv',
  response: { 200: z.string() },
});
