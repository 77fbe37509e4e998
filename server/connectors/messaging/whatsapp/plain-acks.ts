import { NACK_REASONS } from 'baileys';

/**
 * Baileys 7.0.0-rc14 acknowledges what it ignores (groups, broadcasts, newsletters) and what it cannot decrypt with an
 * error; WhatsApp keeps such a message at the head of the queue for this device and holds back what comes behind it
 * (WhiskeySockets/Baileys#2779). The reasons are an exported object, and a reason of 0 is left out of the ack: what we
 * cannot use is confirmed plainly, as other clients do. Asking the sender again is a receipt of its own.
 */
export function acknowledgePlainly(): void {
  for (const reason of ['ParsingError', 'MissingMessageSecret', 'UnhandledError'] as const) NACK_REASONS[reason] = 0;
}
