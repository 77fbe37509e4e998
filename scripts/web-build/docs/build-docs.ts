import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { problemGuide } from '../../../contracts/problem-guide.ts';
import { readGuides } from './guides.ts';
import type { DocsPage } from './guides.ts';
import { layOut } from './layout.ts';
import { makeReference } from './reference.ts';

const web = join(import.meta.dirname, '../../../web');
const read = (file: string) => readFileSync(join(web, file), 'utf8');
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The search index: pages, their headings, and the codes of refusals. */
function searchEntries(pages: readonly DocsPage[]): object[] {
  return [
    ...pages.map(({ path, title, lead, section }) => ({ path, title, text: lead, kind: section })),
    ...pages.flatMap(({ path, title, headings, section }) =>
      headings.map(({ id, text }) => ({ path: `${path}#${id}`, title: text, text: title, kind: section })),
    ),
    ...Object.entries(problemGuide).map(([code, { status, meaning }]) => ({
      path: `/docs/errors#${code}`,
      title: code,
      text: meaning,
      kind: `Error ${status}`,
    })),
  ];
}

/** The convention of https://llmstxt.org: what there is, with links; then the guides whole. */
function llmsText(pages: readonly DocsPage[]): string {
  const links = pages.map(({ path, title, lead }) => `- [${title}](${path}): ${lead}`);
  const guides = pages.filter(({ section }) => section !== 'Reference').map(({ markdown }) => markdown);
  const reference = pages.filter(({ section }) => section === 'Reference').map(({ markdown }) => markdown);
  return [
    '# Dovepost',
    '> Send WhatsApp messages from your own phone numbers, and get what comes back as webhooks. OpenAPI: /api/openapi.json',
    'In the examples `https://dovepost.example` stands for this server, `YOUR_AUTH_KEY` and `YOUR_API_KEY` for your keys, `PROJECT_ID` and `PHONE_ID` for your ids, `IN_AN_HOUR` for a time such as `2026-11-22T15:00:00Z`.',
    links.join('\n'),
    ...guides,
    ...reference,
  ].join('\n\n');
}

function styleSheet(font: string | undefined): string {
  const style = read('docs/docs.css').replace(
    "@import '../shared/styles/tokens.css';",
    read('shared/styles/tokens.css'),
  );
  if (font === undefined) return style;
  return `@font-face{font-family:'Inter Variable';font-weight:100 900;font-display:swap;src:url('${font}') format('woff2')}\n${style}`;
}

/** Every file of the documentation, by its place in the build. */
export function documentationFiles(font: string | undefined): Record<string, string> {
  const pages = [...readGuides(), ...makeReference()];
  const style = styleSheet(font);
  const script = read('docs/docs.js');
  const styleFile = `assets/docs-${digest(style)}.css`;
  const scriptFile = `assets/docs-${digest(script)}.js`;
  const files = { style: `/${styleFile}`, script: `/${scriptFile}`, font, theme: read('head/theme.js') };
  const fileOf = ({ path }: DocsPage) => (path === '/docs' ? 'docs/index.html' : `${path.slice(1)}.html`);
  return {
    [styleFile]: style,
    [scriptFile]: script,
    'docs/search.json': JSON.stringify(searchEntries(pages)),
    'llms.txt': llmsText(pages),
    'docs/not-found.html': layOut(pages, undefined, files),
    ...Object.fromEntries(pages.map((page) => [fileOf(page), layOut(pages, page, files)])),
  };
}

/** Writes the documentation into the build: plain pages beside the app, of which they share no code. */
export function buildDocs(): Plugin {
  return {
    name: 'build-docs',
    apply: 'build',
    generateBundle(_, bundle) {
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file));
      const files = documentationFiles(font === undefined ? undefined : `/${font}`);
      for (const [fileName, source] of Object.entries(files)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
