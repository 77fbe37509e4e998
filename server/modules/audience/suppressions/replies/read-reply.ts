import type { OptOutSettings } from '#contracts/suppressions.ts';
import { ambiguousWords } from './default-words.ts';
import { normalizeWord } from './normalize-word.ts';

/** The meaning of a message: `opt_out`, `opt_in`, or neither. */
type Reply = 'opt_out' | 'opt_in';

/** Longer than any word, with what is left out when words are compared. */
const maxLength = 120;

/** Whether it is short enough to be one of the words. */
export const mayBeReply = (text: string) => text.length <= maxLength && text.trim() !== '';

/** Whether a button was pressed, and what was written to the sender last. */
type Said = { isPressed: boolean; askedWith: string };
const typed: Said = { isPressed: false, askedWith: '' };

const ambiguous: ReadonlySet<string> = new Set(ambiguousWords.map(normalizeWord));

/** Whether what was written to the sender last has to be known to tell what the word means. */
export const isAmbiguous = (text: string) => mayBeReply(text) && ambiguous.has(normalizeWord(text));

/** A word that also answers a question, and does: the message before it asks for it, or has a button of it. */
const isMeantOtherwise = (word: string, { isPressed, askedWith }: Said) =>
  ambiguous.has(word) && (isPressed || ` ${normalizeWord(askedWith)} `.includes(` ${word} `));

/** A text that is one of the account's words and nothing else. */
export function readReply(text: string, settings: OptOutSettings, said: Said = typed): Reply | undefined {
  if (!settings.recognizes_replies || !mayBeReply(text)) return undefined;
  const word = normalizeWord(text);
  if (word === '') return undefined;
  const isOneOf = (words: readonly string[]) => words.some((known) => normalizeWord(known) === word);
  if (isOneOf(settings.opt_out_words)) return isMeantOtherwise(word, said) ? undefined : 'opt_out';
  return isOneOf(settings.opt_in_words) ? 'opt_in' : undefined;
}
