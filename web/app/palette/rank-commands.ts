import { foldText } from '#web/shared/fold-text.ts';

type Ranked = {
  id: string;
  label: string;
  /** Other words that people look for it by. */
  words?: string;
};

/** The commands that a query finds, the best first; among equals the recent ones, then the order given. */
export function rankCommands<Command extends Ranked>(
  commands: readonly Command[],
  query: string,
  recentIds: readonly string[] = [],
): Command[] {
  const wanted = foldText(query).split(/\s+/).filter(Boolean);
  const recency = (id: string) => (recentIds.includes(id) ? recentIds.length - recentIds.indexOf(id) : 0);
  return commands
    .map((command) => ({ command, score: scoreOf(command, wanted), recency: recency(command.id) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.recency - a.recency)
    .map(({ command }) => command);
}

/** Every word must be found; 0 where one is not. */
function scoreOf({ label, words = '' }: Ranked, wanted: readonly string[]): number {
  const scores = wanted.map((word) => Math.max(nameScore(foldText(label), word), wordScore(foldText(words), word)));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 1);
}

/** A name goes before every keyword, unless it has the letters alone: from 40 for the whole name down to 2. */
function nameScore(name: string, word: string): number {
  if (name === word) return 40;
  const found = wordScore(name, word);
  if (found > 0) return 16 + found;
  return hasInOrder(name, word) ? 2 : 0;
}

/** The text's beginning, the beginning of one of its words (the whole of it first), or within: 14 down to 4; else 0. */
function wordScore(text: string, word: string): number {
  const at = ` ${text} `;
  const isWhole = at.includes(` ${word} `);
  if (text.startsWith(word)) return isWhole ? 14 : 12;
  if (at.includes(` ${word}`)) return isWhole ? 10 : 8;
  return text.includes(word) ? 4 : 0;
}

/** `blks` in `bulk send`: from the beginning of a word on, and into later words by their beginnings. Two letters are in too many texts to mean one. */
function hasInOrder(text: string, letters: string): boolean {
  const from = ` ${text}`.indexOf(` ${letters.charAt(0)}`);
  if (letters.length < 3 || from === -1) return false;
  let at = from - 1;
  return Array.from(letters).every((letter) => {
    const nextWord = text.indexOf(' ', at + 1);
    const inWord = text.indexOf(letter, at + 1);
    const isInWord = inWord !== -1 && (nextWord === -1 || inWord < nextWord);
    const beginning = nextWord === -1 ? -1 : text.indexOf(` ${letter}`, nextWord);
    if (!isInWord && beginning === -1) return false;
    at = isInWord ? inWord : beginning + 1;
    return true;
  });
}
