export { createCredentialStores } from './credential-store.ts';
export {
  breakLease,
  claimLeases,
  expireLeasesOf,
  findLeasedPhones,
  leaseDurationMs,
  releaseLease,
  renewLeases,
} from './leases.ts';
export type { Lease } from './leases.ts';
export {
  recordCodeWithdrawn,
  recordConnected,
  recordLinkCode,
  recordLinkEnded,
  recordLinkScanned,
  recordPairingCode,
  recordReconnecting,
  recordSignedOut,
} from './record-link.ts';
export { resealCredentials } from './reseal-credentials.ts';
export { findBalance, findFree, findWorkers, forgetWorker, recordWorker } from './workers.ts';
export type { Balance } from './workers.ts';
