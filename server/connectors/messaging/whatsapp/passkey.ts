import type { BinaryNode } from 'baileys';

/**
 * Some accounts must prove a passkey on the device that is being linked (WhiskeySockets/Baileys#2672). Nothing here
 * answers that, and the handset would wait for ever.
 */
const passkeyTypes = new Set(['passkey_prologue_request', 'crsc_continuation']);

export function asksForPasskey({ tag, attrs, content }: BinaryNode): boolean {
  if (tag !== 'notification') return false;
  const parts = Array.isArray(content) ? content : [];
  if (passkeyTypes.has(attrs.type ?? '') || parts.some((part) => passkeyTypes.has(part.tag))) return true;
  // After a typed code the handset's key is missing from its answer when a passkey is to follow (tulir/whatsmeow#1234).
  return parts.some((part) => part.tag === 'link_code_companion_reg' && lacksHandsetKey(part));
}

function lacksHandsetKey({ attrs, content }: BinaryNode): boolean {
  if (attrs.stage !== 'primary_hello') return false;
  const parts = Array.isArray(content) ? content : [];
  return !parts.some(({ tag }) => tag === 'link_code_pairing_wrapped_primary_ephemeral_pub');
}
