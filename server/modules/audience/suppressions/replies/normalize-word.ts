/** Accents of Latin, Greek and Cyrillic letters, the vowel marks of Arabic, and what follows an emoji. */
const accents = /[\u{300}-\u{36F}]|[\u{64B}-\u{65F}]|\u{670}|\u{FE0F}/gu;
const punctuation = /[\p{P}\p{S}\p{Cf}\p{Cc}]/gu;

/** A text as replies are compared: without case, punctuation and accents, and with single spaces. */
export function normalizeWord(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replaceAll(accents, '')
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(accents, '')
      // The Turkish letter without a dot is what an I becomes on some keyboards.
      .replaceAll('ı', 'i')
      .replaceAll(/\s/g, ' ')
      .replaceAll(punctuation, '')
      .replaceAll(/ +/g, ' ')
      .trim()
  );
}
