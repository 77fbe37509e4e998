export { connectProjectPhone } from './connect-phone.ts';
export { createCredentialStores } from './credential-store.ts';
export { signOutAccountPhones, signOutProjectPhones } from './disconnect-phone.ts';
export { claimLeases, expireLeasesOf, findLeasedPhones, leaseDurationMs, releaseLease, renewLeases } from './leases.ts';
export type { Lease } from './leases.ts';
export { getPhone, requireProject } from './queries.ts';
export {
  recordCodeWithdrawn,
  recordConnected,
  recordLinkCode,
  recordLinkEnded,
  recordLinkScanned,
  recordPairingCode,
  recordReconnecting,
  recordRestricted,
  recordSignedOut,
} from './record-link.ts';
export type { PhoneRow } from './present.ts';
export { resealCredentials } from './reseal-credentials.ts';
export { assignPhones } from './rotation.ts';
export type { Assignment, RotationPhone } from './rotation.ts';
export { answerLink, phoneNumberRoutes } from './routes.ts';
export { isResting } from './resting.ts';
export { findSendingStates } from './sending-states.ts';
export { wakePhones } from './wake-phones.ts';
