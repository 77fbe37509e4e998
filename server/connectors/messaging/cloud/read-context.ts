import type { MessageContext, MessageReferral, PressedButton } from '#contracts/message-content.ts';
import { contextOf, fieldOf, maxFormLength } from '../network-values.ts';
import { fieldsOf, stringOf } from './loose-values.ts';

/**
 * Reads what a message has beside its content; undefined where that is nothing.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/messages.
 */
export function readContext(type: string, raw: Record<string, unknown>): MessageContext | undefined {
  const { forwarded, frequently_forwarded: oftenForwarded } = fieldsOf(raw['context']);
  return contextOf({
    button: readButton(type, fieldsOf(raw[type])),
    referral: readReferral(fieldsOf(raw['referral'])),
    forwarded: forwarded === true || oftenForwarded === true,
    mentions: [],
    view_once: false,
    album: null,
    broadcast: false,
    play_as: null,
    preview: null,
  });
}

/** The forms of Flows come as `nfm_reply`. */
function readButton(type: string, part: Record<string, unknown>): PressedButton | null {
  if (type === 'button') return buttonOf(stringOf(part['payload']));
  if (type !== 'interactive') return null;
  const kind = stringOf(part['type']);
  const pressed = fieldsOf(part[kind]);
  if (kind !== 'nfm_reply') return buttonOf(stringOf(pressed['id']));
  return {
    id: fieldOf(stringOf(pressed['name'])),
    form: fieldOf(stringOf(pressed['response_json']), maxFormLength),
  };
}

function buttonOf(text: string): PressedButton | null {
  const id = fieldOf(text);
  return id === null ? null : { id, form: null };
}

function readReferral(raw: Record<string, unknown>): MessageReferral | null {
  const field = (name: string) => fieldOf(stringOf(raw[name]));
  const referral = {
    ctwa_clid: field('ctwa_clid'),
    source_type: field('source_type'),
    source_id: field('source_id'),
    source_url: field('source_url'),
    headline: field('headline'),
    body: field('body'),
  };
  return Object.values(referral).some((said) => said !== null) ? referral : null;
}
