export {
  findAccountKeys,
  findApiKeyUse,
  insertAccountKey,
  noteAccountKeyUse,
  removeAccountKey,
  removeAccountKeysOf,
  removeAllAccountKeysOf,
} from './account-keys.ts';
export type { AccountKeyRow } from './account-keys.ts';
export {
  changeAccount,
  changePerson,
  changeTwoFactorDemand,
  createAccount,
  getAccount,
  lockAccount,
  nameOf,
  renameAccount,
} from './accounts.ts';
export type { AccountRow } from './accounts.ts';
export { allowProjects } from './allow-projects.ts';
export { openApiKey } from './api-key.ts';
export { findKeptDays } from './find-kept-days.ts';
export { findPeople, mailPeople } from './people.ts';
export type { Person } from './people.ts';
export { replaceApiKey, replaceApiKeysOf } from './replace-api-key.ts';
export { opensStoredSecrets, resealApiKeys } from './reseal-api-keys.ts';
export { announceAccess, resumeAccount, suspendAccount } from './suspend-account.ts';
export {
  deleteRows,
  deletionDays,
  emptyAccount,
  findDueForDeletion,
  isDueForDeletion,
  isSuspendedForDeletion,
  markForDeletion,
  orderDeletion,
  unmarkForDeletion,
} from './mark-for-deletion.ts';
export type { DueAccount } from './mark-for-deletion.ts';
