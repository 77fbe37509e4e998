export type Mark = 'bold' | 'italic' | 'struck' | 'mono';

/** Text, or a marked part of it with its own parts. */
export type Marked = string | { mark: Mark; parts: readonly Marked[] };

const marks: Partial<Record<string, Mark>> = { '*': 'bold', _: 'italic', '~': 'struck' };

/**
 * A mark stands at the edges of words and of what it marks, on one line. Between backticks nothing else is a mark; three
 * of them take several lines.
 */
const pattern =
  /```(?<block>[\s\S]+?)```|(?<!`)`(?!`)(?<code>[^`\n]+)`(?!`)|(?<![\p{L}\p{N}])(?<sign>[*_~])(?=\S)(?<inner>[^\n]*?[^\s])\k<sign>(?![\p{L}\p{N}])/u;

/** Reads WhatsApp's marks (`*bold*`, `_italic_`, `~struck~`, backticks) as the handset shows them. */
export function readMarks(text: string): readonly Marked[] {
  const match = pattern.exec(text);
  if (match === null) return text === '' ? [] : [text];
  const { block, code, sign = '', inner = '' } = match.groups ?? {};
  const mono = block ?? code;
  const before = text.slice(0, match.index);
  const part: Marked =
    mono === undefined ? { mark: marks[sign] ?? 'bold', parts: readMarks(inner) } : { mark: 'mono', parts: [mono] };
  return [...(before === '' ? [] : [before]), part, ...readMarks(text.slice(match.index + match[0].length))];
}
