type Ranked = {
  id: string;
  label: string;
  /** Other words that people look for it by. */
  words?: string;
};

/** Lower case, without accents: `São Paulo` is found by `sao`. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();
}

/** The commands that a query finds, the best first; among equals the recent ones, then the order given. */
export function rankCommands<Command extends Ranked>(
  commands: readonly Command[],
  query: string,
  recentIds: readonly string[] = [],
): Command[] {
  const wanted = plain(query).split(/\s+/).filter(Boolean);
  const recency = (id: string) => (recentIds.includes(id) ? recentIds.length - recentIds.indexOf(id) : 0);
  return commands
    .map((command) => ({ command, score: scoreOf(command, wanted), recency: recency(command.id) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.recency - a.recency)
    .map(({ command }) => command);
}

/** Every word must be found; 0 where one is not. */
function scoreOf({ label, words = '' }: Ranked, wanted: readonly string[]): number {
  const scores = wanted.map((word) => Math.max(scoreWord(plain(label), word), scoreWord(plain(words), word) / 2));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 1);
}

/** How well a text answers one word: its beginning, the beginning of one of its words, within, its letters in order. */
function scoreWord(text: string, word: string): number {
  if (text.startsWith(word)) return 16;
  if (text.includes(` ${word}`)) return 12;
  if (text.includes(word)) return 8;
  return hasInOrder(text, word) ? 2 : 0;
}

/** `blks` in `bulk send`. Two letters are in too many texts to mean one. */
function hasInOrder(text: string, letters: string): boolean {
  if (letters.length < 3) return false;
  let at = -1;
  return Array.from(letters).every((letter) => {
    at = text.indexOf(letter, at + 1);
    return at !== -1;
  });
}
