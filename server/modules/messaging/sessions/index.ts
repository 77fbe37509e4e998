export { createPhoneWorker } from './phone-worker.ts';
export { claimWorkerIdentity } from './worker-identity.ts';
