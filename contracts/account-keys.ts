import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';
import { accountKeyScopes } from './permissions.ts';
import { NewProjectKey } from './project-keys.ts';

export const AccountKeyScope = z.enum(accountKeyScopes);

/** A key of the whole account, for `authorization`. */
export const AccountKey = z.object({
  id: Id.nullable().describe('Null for the first key, the `api_key`: it is replaced, not deleted.'),
  name: z.string().describe('Its name, for people.'),
  hint: z.string().describe('How it begins, to know it by.'),
  scopes: z.array(AccountKeyScope).nullable().describe('What it may do at most; null: all that its maker may.'),
  addresses: z.array(z.string()).describe('Addresses and networks from which alone it is taken; empty: from anywhere.'),
  expires_at: Timestamp.nullable().describe('When it ends; null: never.'),
  last_used_at: Timestamp.nullable().describe('To the minute; null: never used, as far as is known.'),
  made_by: z
    .object({ id: Id.describe('Its id.'), name: z.string().describe('Its name, for people.') })
    .describe('Whose key it is: it never may more than their role, and ends when they leave.'),
  created_at: Timestamp.nullable().describe('Null for the first key.'),
});
export type AccountKey = z.infer<typeof AccountKey>;

export const NewAccountKeyAnswer = AccountKey.extend({ key: z.string().describe('The key itself, shown this once.') });
export type NewAccountKeyAnswer = z.infer<typeof NewAccountKeyAnswer>;

export const NewAccountKey = NewProjectKey.extend({
  scopes: z
    .array(AccountKeyScope)
    .min(1, 'Choose at least one scope')
    .max(accountKeyScopes.length)
    .transform((scopes) => accountKeyScopes.filter((scope) => scopes.includes(scope)))
    .describe('What the key may do.'),
});
export type NewAccountKey = z.output<typeof NewAccountKey>;

const forPeople = { callers: ['user'], permission: 'keys:write', needsSubscription: false } as const;

export const listAccountKeys = endpoint({
  ...forPeople,
  method: 'GET',
  path: '/api/account/keys',
  summary: 'The keys of the account, newest first; the first one, its `api_key`, comes last',
  response: { 200: listOf(AccountKey) },
});

export const createAccountKey = endpoint({
  ...forPeople,
  method: 'POST',
  path: '/api/account/keys',
  audit: 'account_key.created',
  confirmsIdentity: true,
  idempotency: 'atomic',
  summary: 'Make a key of the account; the answer alone holds the key itself',
  body: NewAccountKey,
  response: { 201: NewAccountKeyAnswer },
  errors: ['key_limit'],
});

export const deleteAccountKey = endpoint({
  ...forPeople,
  method: 'DELETE',
  path: '/api/account/keys/{accountKeyId}',
  audit: 'account_key.deleted',
  summary: 'Delete a key of the account; it stops at once',
  params: z.object({ accountKeyId: IdParam.describe('Of the list of keys.') }),
  response: { 204: undefined },
});
