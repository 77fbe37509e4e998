export type CodeLanguage = 'curl' | 'javascript' | 'python' | 'php' | 'json';

/** A stretch of code and what it is; `plain` for all that needs no colour. */
export type CodeSpan = { kind: 'keyword' | 'string' | 'number' | 'comment' | 'plain'; text: string };

const string = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const number = String.raw`\b\d+(?:\.\d+)?\b`;

function grammar(comment: string, keywords: string): RegExp {
  return new RegExp(`(?<comment>${comment})|(?<string>${string})|(?<keyword>${keywords})|(?<number>${number})`, 'g');
}

const grammars: Record<CodeLanguage, RegExp> = {
  curl: grammar(String.raw`(?<=^|\n)#[^\n]*`, String.raw`(?<=\s)-{1,2}[A-Za-z][\w-]*`),
  javascript: grammar(
    String.raw`//[^\n]*`,
    String.raw`\b(?:await|const|from|import|if|throw|new|return|true|false|null)\b`,
  ),
  python: grammar(String.raw`#[^\n]*`, String.raw`\b(?:import|from|def|return|if|raise|True|False|None|print)\b`),
  php: grammar(String.raw`//[^\n]*`, String.raw`<\?php|\b(?:echo|true|false|null|return|if|throw|new)\b`),
  // A name before a colon is a key, coloured apart from the values.
  json: new RegExp(
    String.raw`(?<keyword>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b)`,
    'g',
  ),
};

/** Cuts code into coloured spans; joined, they are the code again. */
export function highlight(code: string, language: CodeLanguage): CodeSpan[] {
  const spans: CodeSpan[] = [];
  let end = 0;
  for (const match of code.matchAll(grammars[language])) {
    if (match.index > end) spans.push({ kind: 'plain', text: code.slice(end, match.index) });
    spans.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) spans.push({ kind: 'plain', text: code.slice(end) });
  return spans;
}

function kindOf(groups: Record<string, string | undefined>): CodeSpan['kind'] {
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  return groups['keyword'] === undefined ? 'number' : 'keyword';
}
