export { createCredentialStores } from './credential-store.ts';
export {
  breakLease,
  nobody,
  claimLeases,
  expireLeasesOf,
  findLeasedPhones,
  listLeases,
  releaseLease,
  renewLeases,
} from './leases.ts';
export type { ClaimedLease, Lease } from './leases.ts';
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
export {
  beginWorker,
  findBalance,
  findFree,
  findWorkers,
  forgetWorker,
  leaseDurationMs,
  renewWorker,
} from './workers.ts';
export type { Balance } from './workers.ts';
