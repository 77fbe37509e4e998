import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Sentences that begin so stand for something unnamed: 'What nobody reads' in place of 'Statements without a reader'. */
const words = '(?:What|Who|Whoever|Whose|One|Those|That|It)(?![\\w-])';
const riddle = new RegExp(`(?:^|\\n\\n|\\n\\s*- |[.!?]["')\`]?\\s+)(${words}(?:[^.!?]|[.!?](?!\\s|$))*)`, 'g');
const riddlingTitle = new RegExp(`^${words}`, 'i');
/** Parsing every file takes ten seconds: only those are parsed that hold such a word after a mark or a quote. */
const suspects = [new RegExp(`[/*.!?"')\`-]\\s+${words}`), new RegExp(`\\(\\s*["'\`]${words}`, 'i')];
const testFunctions: ReadonlySet<string> = new Set(['test', 'it', 'describe', 'bench']);

type Prose = { at: number; text: string };

function tokensOf(node: ts.Node, file: ts.SourceFile): ts.Node[] {
  if (ts.isJsxText(node)) return [];
  const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
  return children.length === 0 ? [node] : children.flatMap((child) => tokensOf(child, file));
}

/** The comments of a file; `//` comments on consecutive lines are one. */
function commentsOf(file: ts.SourceFile): Prose[] {
  const ranges = tokensOf(file, file).flatMap(({ pos }) => [
    ...(ts.getLeadingCommentRanges(file.text, pos) ?? []),
    ...(ts.getTrailingCommentRanges(file.text, pos) ?? []),
  ]);
  const merged: { pos: number; end: number }[] = [];
  for (const { pos, end, kind } of new Map(ranges.map((range) => [range.pos, range])).values()) {
    const before = merged.at(-1);
    const isContinued = kind === ts.SyntaxKind.SingleLineCommentTrivia && before !== undefined;
    if (isContinued && /^\n[ \t]*$/.test(file.text.slice(before.end, pos))) before.end = end;
    else merged.push({ pos, end });
  }
  return merged.map(({ pos, end }) => ({
    at: pos,
    text: file.text
      .slice(pos, end)
      .replaceAll(/^[ \t]*(?:\/\*+|\/\/+|\*\/|\*)?[ \t]?|\s*\*\/$/gm, '')
      .trim(),
  }));
}

function titlesOf(node: ts.Node): Prose[] {
  const inner = node.getChildren().flatMap(titlesOf);
  if (!ts.isCallExpression(node)) return inner;
  let called: ts.Expression = node.expression;
  while (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) called = called.expression;
  const [title] = node.arguments;
  const isTest = ts.isIdentifier(called) && testFunctions.has(called.text) && node.arguments.length > 1;
  if (!isTest || !title || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return inner;
  return [{ at: title.getStart(), text: title.getText().slice(1, -1) }, ...inner];
}

/** Each as `path:line: sentence`. */
function riddlesIn(path: string, source: string): string[] {
  if (!suspects.some((suspect) => suspect.test(source))) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lineAt = (at: number) => file.getLineAndCharacterOfPosition(at).line + 1;
  const sentences = commentsOf(file).flatMap(({ at, text }) =>
    [...text.matchAll(riddle)].map(([, sentence = '']) => ({ at, text: sentence.replaceAll(/\s+/g, ' ') })),
  );
  const titles = titlesOf(file).filter(({ text }) => riddlingTitle.test(text));
  return [...sentences, ...titles].map(({ at, text }) => `${path}:${lineAt(at)}: ${text}`);
}

test('no sentence of a comment and no title of a test begins with a pronoun that names nothing', () => {
  const paths = globSync('{*.ts,{contracts,scripts,sdk,server,tests,web}/**/*.{ts,tsx,js,mjs}}');
  expect(paths.length).toBeGreaterThan(1000);
  expect(paths.flatMap((path) => riddlesIn(path, readFileSync(path, 'utf8')))).toEqual([]);
});

test.each([
  ['a comment', '// What nobody reads.\nconst a = 1;', '1: What nobody reads'],
  ['a later sentence', 'const a = 1;\n/**\n * Runs. It\n * does not throw.\n */\nconst b = 2;', '2: It does not throw'],
  ['the end of a line', 'const a = 1; // Those that wait', '1: Those that wait'],
  ['JSX', 'const a = <p>\n  {/* Whoever looks. */}\n  What is text\n</p>;', '2: Whoever looks'],
  ['an entry of a list', '/**\n * Kinds:\n * - One of them\n */\nconst a = 1;', '1: One of them'],
  ['a title', "test('who waits', () => {});", '1: who waits'],
  ['a title of a table', "describe('a', () => {\n  test.each([1])('it is %s', () => {});\n});", '2: it is %s'],
])('a riddle in %s is found', (_, source, found) => {
  expect(riddlesIn('seeded.tsx', source)).toEqual([`seeded.tsx:${found}`]);
});

test('strings, and words within a sentence, are no riddles', () => {
  const source = "// The one\n// that waits: https://a.example/x. Onerous. One-off\nconst a = '// What. It is';";
  expect(riddlesIn('seeded.ts', source)).toEqual([]);
});
