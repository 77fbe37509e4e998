import type { Address } from './recipients.ts';

/** Measures already tried for a refused message. */
export type Tried = { session: boolean; token: boolean; other: boolean };

/**
 * The next measure after a refusal, or its outcome:
 * - `fresh_session`, `fresh_token`: the recipient's devices and keys, or its token, are fetched anew, and the message
 *   is sent again;
 * - `other_address`: it is sent to the recipient's other address;
 * - `busy`: later, as it is; `capped`: once new chats are allowed again; `restricted`: the account, or this contact, is
 *   held;
 * - `refused`: WhatsApp will never take it.
 */
export type AfterRefusal =
  | 'fresh_session'
  | 'fresh_token'
  | 'other_address'
  | 'busy'
  | 'capped'
  | 'restricted'
  | 'refused';

type Refusal = {
  error: string;
  address: Address['kind'];
  tried: Tried;
  /** Whether new chats are locked, as WhatsApp says; undefined where it did not. */
  isLocked: boolean | undefined;
};

/**
 * The measures for an error in an ack, in the order of trying. 463 is a lock on new chats or a missing token of this
 * contact (WhiskeySockets/Baileys#2698, #2441), or the wrong one of its addresses (#2683); 475 is
 * NewChatMessagesCapped; 479 a stale session or address (whatsapp-rust#941); 429, 500 and 503 say nothing of the
 * message.
 */
export function afterRefusal({ error, address, tried, isLocked }: Refusal): AfterRefusal[] {
  const token = tried.token ? [] : (['fresh_token'] as const);
  const other = tried.other ? [] : (['other_address'] as const);
  switch (error) {
    case '475':
      return ['capped'];
    case '429':
    case '500':
    case '503':
      return ['busy'];
    case '463':
      if (isLocked !== false) return address === 'pn' && !isLocked ? [...other, 'restricted'] : ['restricted'];
      return address === 'pn' ? [...other, ...token, 'restricted'] : [...token, ...other, 'restricted'];
    case '479':
      return [...(tried.session ? [] : (['fresh_session'] as const)), ...(address === 'lid' ? other : []), 'refused'];
    default:
      return ['refused'];
  }
}
