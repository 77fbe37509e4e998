import { z } from 'zod';
import { FieldPath, isStorable, notStorable } from './conditions.ts';
import { endpoint } from './endpoint.ts';
import { FieldType } from './field-types.ts';
import { listOf, pageQuery } from './page.ts';
import { ProfileField } from './profiles.ts';

/** A field of the account's profiles, with the type that the account gave it. */
export const Field = z.object({
  path: z.string().describe('As conditions name it.'),
  label: z.string().nullable().describe('What people call it; null where nobody gave it a name.'),
  type: FieldType.nullable().describe('How conditions read its values; null: each operator reads what it can.'),
  state: z
    .enum(['building', 'ready'])
    .nullable()
    .describe(
      'Whether the values of a typed field are indexed by now. Conditions answer the same until then, only slower. Null without a type.',
    ),
  unreadable: z
    .int()
    .nonnegative()
    .nullable()
    .describe(
      'How many profiles have a value that does not read as the type, counted up to 100,000: they match neither a condition ' +
        'on it nor its `not`. Null while it is building, and without a type.',
    ),
  types: ProfileField.shape.types,
  samples: z.array(z.string()).describe('Values that newer profiles have, as text, at most 5.'),
  profiles: ProfileField.shape.profiles,
});
export type Field = z.infer<typeof Field>;

export const listFields = endpoint({
  method: 'GET',
  path: '/api/fields',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The fields of profiles with their types: columns first, then custom fields by name',
  query: z.object({
    search: z.string().trim().max(100).optional().describe('Part of a path.'),
    limit: pageQuery(100).pageSize,
  }),
  response: { 200: listOf(Field) },
});

const FieldChange = z.object({
  type: FieldType.nullable().describe('How conditions read its values; null takes the type back.'),
  label: z
    .string()
    .trim()
    .min(1, 'Enter a label, or null')
    .max(100, 'Use at most 100 characters')
    .refine(isStorable, notStorable)
    .nullable()
    .optional()
    .describe('What people call it; absent: as it was.'),
});
export type FieldChange = z.output<typeof FieldChange>;

export const putField = endpoint({
  method: 'PUT',
  path: '/api/fields/{path}',
  audit: 'field.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Give a custom field a type: expressions read its values so from the answer on; at most 200 an account',
  params: z.object({ path: FieldPath.describe('`custom_fields.` and a path.') }),
  body: FieldChange,
  response: { 200: Field },
});
