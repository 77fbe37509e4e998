import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { OutgoingTemplate } from '#contracts/message-content.ts';
import { maxCaptionLength, maxTextLength } from '#contracts/message-content.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { fillBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { fillForProfile } from './placeholder-text.ts';
import { skipReason } from './skip-reason.ts';
import type { Recipient, SkipReason } from './skip-reason.ts';

type Fill = (template: string, recipient: Recipient) => string;

type MessageFor =
  | { kind: 'text'; text: string; template?: OutgoingTemplate }
  | { kind: 'skipped'; reason: SkipReason }
  /** The template waits in this recipient's language. */
  | { kind: 'held'; until: Date | null; why: WaitingReason };

/** Code points are counted where there could be too many alone. */
const isLonger = (text: string, most: number) => text.length > most && Array.from(text).length > most;

/** `media`: which every message carries; the template is its caption then. `bound`: a WhatsApp template in their place. */
export type MessageTemplate = { template: string; media: CarriedMedia | null; bound?: BoundSource | null };

/**
 * The message for a profile, or why there is none; undefined stands for a profile that is gone. `isMember`: it still
 * belongs to those whom the message is for.
 */
export function messageFor(
  { template, media, bound }: MessageTemplate,
  profile: Recipient | undefined,
  { isMember = true, fill = fillForProfile }: { isMember?: boolean; fill?: Fill } = {},
): MessageFor {
  if (!profile) return { kind: 'skipped', reason: 'profile_deleted' };
  const reason = skipReason(profile) ?? (isMember ? undefined : 'no_longer_matches');
  if (reason) return { kind: 'skipped', reason };
  if (bound) {
    const filled = fillBinding(bound, {
      language: profile.language ?? null,
      fill: (bindingText) => fill(bindingText, profile),
    });
    if (filled.kind === 'held') return { kind: 'held', until: filled.waitingUntil, why: filled.waitingFor };
    return filled.kind === 'skipped' ? filled : { kind: 'text', text: filled.text, template: filled.template };
  }
  const text = fill(template, profile);
  if (media) return isLonger(text, maxCaptionLength) ? captionTooLong : { kind: 'text', text: text.trim() && text };
  if (text.trim() === '') return { kind: 'skipped', reason: 'empty_message' };
  if (isLonger(text, maxTextLength)) return { kind: 'skipped', reason: 'message_too_long' };
  return { kind: 'text', text };
}

const captionTooLong = { kind: 'skipped', reason: 'caption_too_long' } as const;
