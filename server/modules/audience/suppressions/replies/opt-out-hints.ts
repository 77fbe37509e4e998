import { ambiguousWords, defaultSettings } from './default-words.ts';
import { normalizeWord } from './normalize-word.ts';
import { mayBeReply } from './read-reply.ts';

/**
 * Phrases that ask for an end without being an opt-out word: English, Spanish, Portuguese, French, German, Italian,
 * Indonesian, Turkish, Arabic, Hindi, Russian.
 */
const phrases = [
  [
    ['stop it', 'stop this', 'stop messaging', 'stop texting', 'stop sending', 'stop writing', 'stop contacting'],
    ['stop spamming', 'stop these messages', 'no more messages', 'no more texts', 'leave me alone'],
    [
      'do not message me',
      "don't message me",
      'do not text me',
      "don't text me",
      'do not contact me',
      "don't contact me",
    ],
    [
      "don't write to me",
      'do not write to me',
      'unsubscribe me',
      'opt me out',
      'want to opt out',
      'want to unsubscribe',
    ],
    ['take me off', 'remove me from', 'remove my number', 'delete my number'],
  ].flat(),
  [
    ['no me escriban', 'no me escriba más', 'no me escribas más', 'no me manden', 'no me envíen', 'no me contacten'],
    ['dejen de escribirme', 'deja de escribirme', 'dejen de mandar', 'dejen de enviar', 'quiero darme de baja'],
    ['dame de baja', 'denme de baja', 'no quiero más mensajes', 'no quiero recibir', 'borren mi número'],
    ['eliminen mi número', 'déjenme en paz'],
  ].flat(),
  [
    ['pare de mandar', 'parem de mandar', 'pare de enviar', 'parem de enviar', 'não me mande', 'não mande mais'],
    ['não me envie', 'não envie mais', 'não quero mais', 'não quero receber', 'quero sair', 'me tire da lista'],
    ['me remova', 'remova meu número', 'apague meu número', 'me deixe em paz'],
  ].flat(),
  [
    ["arrêtez de m'écrire", "arrêtez de m'envoyer", "arrête de m'écrire", "ne m'écrivez plus", 'ne me contactez plus'],
    ["ne m'envoyez plus", 'plus de messages', 'je ne veux plus', 'désabonnez-moi', 'désinscrivez-moi'],
    ['désabonnez moi', 'désinscrivez moi', 'supprimez mon numéro', 'laissez-moi tranquille', 'laissez moi tranquille'],
  ].flat(),
  [
    ['hört auf', 'hören sie auf', 'hör auf', 'bitte aufhören', 'keine nachrichten mehr', 'keine werbung mehr'],
    ['schreiben sie mir nicht mehr', 'schreibt mir nicht mehr', 'schreib mir nicht mehr', 'nicht mehr anschreiben'],
    ['melden sie mich ab', 'meldet mich ab', 'löschen sie meine nummer', 'löscht meine nummer', 'lasst mich in ruhe'],
    ['lassen sie mich in ruhe'],
  ].flat(),
  [
    [
      'basta messaggi',
      'non scrivetemi più',
      'non scrivermi più',
      'non mi scrivete più',
      'non voglio più',
      'smettetela',
    ],
    ['smettila', 'toglietemi dalla lista', 'cancellate il mio numero', 'cancellatemi', 'lasciatemi in pace'],
  ].flat(),
  [
    ['berhenti kirim', 'berhenti mengirim', 'jangan kirim', 'jangan hubungi', 'jangan wa saya', 'jangan chat saya'],
    ['hapus nomor saya', 'tolong hentikan'],
  ].flat(),
  [
    ['lütfen durdurun', 'lütfen durun', 'mesaj atmayın', 'mesaj göndermeyin', 'bana yazmayın', 'artık yazmayın'],
    ['mesaj istemiyorum', 'numaramı silin', 'beni listeden çıkarın'],
  ].flat(),
  ['لا ترسل', 'لا ترسلوا', 'لا تراسلني', 'لا تراسلوني', 'توقفوا', 'احذف رقمي', 'احذفوا رقمي', 'لا أريد رسائل'],
  ['मैसेज मत', 'मेसेज मत', 'संदेश न भेजें', 'संदेश मत', 'मेरा नंबर हटा', 'message mat', 'msg mat', 'band karo'],
  [
    ['прекратите', 'хватит писать', 'не пишите', 'не присылайте', 'перестаньте писать', 'удалите мой номер'],
    ['отпишите меня', 'отстаньте'],
  ].flat(),
].flat();

/** Words of politeness: an opt-out word beside them is no opt-out word alone. */
const politeness = [
  ['please', 'pls', 'plz', 'now', 'thanks', 'thank you'],
  ['por favor', 'gracias', 'obrigado', 'obrigada'],
  ["s'il vous plaît", "s'il te plaît", 'svp', 'stp', 'merci'],
  ['bitte', 'danke', 'per favore', 'grazie', 'tolong', 'lütfen'],
  ['من فضلك', 'من فضلكم', 'أرجوك', 'कृपया', 'प्लीज', 'пожалуйста'],
].flat();

/** Signs that ask for an end where they stand without a word. */
const signs = /[🛑⛔🚫🔕📵]/u;

const padded = (words: readonly string[]) => words.map((word) => ` ${normalizeWord(word)} `);
const paddedPhrases = padded(phrases);
const paddedPoliteness = padded(politeness);
const ambiguous = new Set(padded(ambiguousWords));
const unambiguous = new Set(padded(defaultSettings.opt_out_words).filter((word) => !ambiguous.has(word)));

/**
 * Whether a text that opts nobody out reads as if its writer wanted to: 'please stop', 🛑 and their like. A guess, so that
 * nothing but a mark for people may follow from it.
 */
export function hintsAtOptOut(text: string): boolean {
  if (!mayBeReply(text)) return false;
  const words = ` ${normalizeWord(text)} `;
  if (words.trim() === '') return signs.test(text);
  if (paddedPhrases.some((phrase) => words.includes(phrase))) return true;
  const plain = paddedPoliteness.reduce((rest, polite) => rest.replaceAll(polite, ' '), words);
  return unambiguous.has(plain);
}
