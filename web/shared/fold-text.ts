const plainLetters: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** Small letters without accents, as the server's searches fold texts: `nguyen` finds `Nguyễn`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[đðøłħŧıßæœ]/g, (letter) => plainLetters[letter] ?? letter);
}

/** Whether a text has another one in it, whatever their case and accents. */
export const hasPart = (text: string, part: string): boolean => foldText(text).includes(foldText(part.trim()));
