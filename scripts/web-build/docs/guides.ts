import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, Renderer } from 'marked';
import type { Token, Tokens } from 'marked';
import { failureGuide } from '../../../contracts/failure-codes.ts';
import { problemGuide } from '../../../contracts/problem-guide.ts';
import { webhookEventWords } from '../../../contracts/webhook-event-words.ts';
import { codeBlock, idOf, inline, table } from './html.ts';
import type { Sample } from './html.ts';

const directory = join(import.meta.dirname, '../../../web/docs/guides');

export type Heading = { id: string; text: string };
/** A page of the documentation: `path` from the root, `html` of its article, `markdown` for programs. */
export type DocsPage = {
  path: string;
  title: string;
  section: string;
  lead: string;
  html: string;
  markdown: string;
  headings: Heading[];
};

const retryWords = { yes: 'Yes', no: 'No', later: 'Later' } as const;

/** Text with backticks, or whether to try again and what to do. */
type Cell = string | { retry: keyof typeof retryWords; action: string };
type Generated = { label: string; heads: string[]; rows: { id?: string; cells: Cell[] }[] };

const code = (text: string) => `\`${text}\``;

const tables: Readonly<Record<string, Generated>> = {
  problems: {
    label: 'Codes of refusals',
    heads: ['Code', 'Status', 'What it means', 'Retry?'],
    rows: Object.entries(problemGuide).map(([name, { status, retry, meaning, action }]) => ({
      id: name,
      cells: [code(name), String(status), meaning, { retry, action }],
    })),
  },
  failures: {
    label: 'Codes of failures',
    heads: ['Code', 'What it means', 'Send it again?'],
    rows: Object.entries(failureGuide).map(([name, { retry, meaning, action }]) => ({
      cells: [code(name), meaning, { retry, action }],
    })),
  },
  events: {
    label: 'Events',
    heads: ['Type', 'When'],
    rows: Object.entries(webhookEventWords).map(([name, words]) => ({ cells: [code(name), words] })),
  },
};

function cellHtml(cell: Cell): string {
  if (typeof cell === 'string') return inline(cell);
  return `<span class="badge ${cell.retry}">${retryWords[cell.retry]}</span> ${inline(cell.action)}`;
}

const cellText = (cell: Cell) => (typeof cell === 'string' ? cell : `${retryWords[cell.retry]}. ${cell.action}`);

const tableHtml = ({ label, heads, rows }: Generated) =>
  table(
    label,
    heads,
    rows.map(({ cells, ...row }) => ({ ...row, cells: cells.map(cellHtml) })),
  );

const tableText = ({ heads, rows }: Generated) =>
  [heads, heads.map(() => '---'), ...rows.map(({ cells }) => cells.map(cellText))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** For programs: with the tables that are made, and without the words of the tests behind a fence. */
const plainText = (body: string) =>
  body
    .replaceAll(/^<!-- (\w+) -->$/gm, (whole, name: string) => (tables[name] ? tableText(tables[name]) : whole))
    .replaceAll(/^```(\w+) .*$/gm, '```$1');

const renderer = new Renderer();
renderer.heading = function ({ tokens, depth, text }) {
  return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
};
renderer.table = function ({ header, rows }) {
  const cell = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
  return table(
    header.map(({ text }) => text).join(', '),
    header.map(cell),
    rows.map((row) => ({ cells: row.map(cell) })),
  );
};

/** The language is the first word of what stands behind the fence; the rest is for the tests. */
const sampleOf = ({ lang = '', text }: Tokens.Code): Sample => ({ language: lang.split(' ', 1)[0] ?? '', code: text });

function render(tokens: readonly Token[]): string {
  const parts: string[] = [];
  let samples: Sample[] = [];
  const flush = () => {
    if (samples.length > 0) parts.push(codeBlock(samples));
    samples = [];
  };
  for (const token of tokens) {
    if (token.type === 'space') continue;
    if (token.type === 'code') {
      const sample = sampleOf(token as Tokens.Code);
      if (samples.some(({ language }) => language === sample.language)) flush();
      samples.push(sample);
      continue;
    }
    flush();
    const generated = /^<!-- (\w+) -->\s*$/.exec(token.raw)?.[1];
    const made = generated === undefined ? undefined : tables[generated];
    parts.push(made ? tableHtml(made) : marked.parser([token], { renderer }));
  }
  flush();
  return parts.join('\n');
}

/** `slug: errors` and its like, between the first two lines of hyphens. */
function readHead(text: string): { head: Record<string, string>; body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { head: Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s, 2))), body };
}

/** The guides, in the order of their files' names. */
export function readGuides(): DocsPage[] {
  return readdirSync(directory)
    .toSorted()
    .map((file) => {
      const { head, body } = readHead(readFileSync(join(directory, file), 'utf8'));
      const { slug = '', title = '', section = '', lead = '' } = head;
      const tokens = marked.lexer(body);
      const headings = tokens.flatMap((token) =>
        token.type === 'heading' && (token as Tokens.Heading).depth === 2
          ? [{ id: idOf((token as Tokens.Heading).text), text: (token as Tokens.Heading).text }]
          : [],
      );
      const path = slug === 'index' ? '/docs' : `/docs/${slug}`;
      return {
        path,
        title,
        section,
        lead,
        html: render(tokens),
        markdown: `# ${title}\n\n${lead}\n${plainText(body)}`,
        headings,
      };
    });
}
