import type { OptOutSettings } from '#contracts/suppressions.ts';
import { normalizeWord } from './normalize-word.ts';

/** What a message says of itself: `opt_out`, `opt_in`, or neither. */
type Reply = 'opt_out' | 'opt_in';

/** Longer than any word, with what is left out when words are compared. */
const maxLength = 120;

/** Whether it is short enough to be one of the words. */
export const mayBeReply = (text: string) => text.length <= maxLength && text.trim() !== '';

/** A text that is one of the account's words and nothing else. */
export function readReply(text: string, settings: OptOutSettings): Reply | undefined {
  if (!settings.recognizes_replies || !mayBeReply(text)) return undefined;
  const word = normalizeWord(text);
  if (word === '') return undefined;
  const isOneOf = (words: readonly string[]) => words.some((known) => normalizeWord(known) === word);
  if (isOneOf(settings.opt_out_words)) return 'opt_out';
  return isOneOf(settings.opt_in_words) ? 'opt_in' : undefined;
}
