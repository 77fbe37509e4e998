export { newHealth, noFates } from './health.ts';
export { noHistory } from './may-send.ts';
export type { TimeLock } from './signals.ts';
export { createVirtualPhone } from './virtual-phone.ts';
export type { VirtualPhone } from './virtual-phone.ts';
