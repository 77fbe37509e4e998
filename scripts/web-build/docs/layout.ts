import type { DocsPage } from './guides.ts';
import { escapeHtml, inline } from './html.ts';

/** Files of the build that every page names. */
export type DocsFiles = { style: string; script: string; font?: string | undefined; theme: string };

const icon = (path: string) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`;
const icons = {
  search: icon('<path d="m21 21-4.34-4.34"/><circle cx="11" cy="11" r="8"/>'),
  menu: icon('<path d="M4 5h16M4 12h16M4 19h16"/>'),
  theme: icon('<path d="M21 12.8A9 9 0 1 1 11.2 3a7 7 0 0 0 9.8 9.8Z"/>'),
};
const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path fill="var(--on-accent)" d="M4.5 10c0-1.7 2-2.6 3.2-1.4l7 6.3 3.3-3.1c.3-3.6 2.3-5.8 5.3-5.8 1.6 0 2.8.7 3.6 1.9l3.1 1.6-3.2 1.9V18a8 8 0 0 1-8 8H7.5a3 3 0 0 1-3-3Z"/></svg>';

const sections = ['Start', 'Guides', 'Reference', 'More'];

function navigation(pages: readonly DocsPage[], current: DocsPage | undefined): string {
  const link = (page: DocsPage) =>
    `<li><a href="${page.path}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`;
  return sections
    .map((section) => {
      const own = pages.filter((page) => page.section === section);
      return `<section><h2>${section}</h2><ul>${own.map(link).join('')}</ul></section>`;
    })
    .join('');
}

function contents({ headings }: DocsPage): string {
  if (headings.length < 2) return '';
  const links = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`;
}

function nextLink(pages: readonly DocsPage[], page: DocsPage): string {
  const ordered = sections.flatMap((section) => pages.filter((each) => each.section === section));
  const next = ordered[ordered.indexOf(page) + 1];
  if (next === undefined) return '';
  return `<a class="next" href="${next.path}"><small>Next</small><b>${escapeHtml(next.title)}</b></a>`;
}

/** A whole page. Without a `page` it is the one for an address where there is none. */
export function layOut(pages: readonly DocsPage[], page: DocsPage | undefined, files: DocsFiles): string {
  const title = page?.title ?? 'No such page';
  const article = page
    ? `<p class="eyebrow">${page.section}</p><h1>${escapeHtml(title)}</h1><p class="lead">${inline(page.lead)}</p>
<p class="own-key" data-own-key hidden><button class="button" type="button">Show the examples with my keys</button><span role="status"></span></p>
${page.html}${nextLink(pages, page)}`
    : '<h1>No such page</h1><p>The documentation has no page here. <a href="/docs">Begin at the quick start.</a></p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(page?.lead ?? title)}">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Dovepost documentation</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${files.font === undefined ? '' : `<link rel="preload" href="${files.font}" as="font" type="font/woff2" crossorigin>`}
<link rel="stylesheet" href="${files.style}">
<script>${files.theme}</script>
<script src="${files.script}" defer></script>
</head>
<body>
<a class="skip-link" href="#content">Skip to content</a>
<header class="bar">
<a class="button ghost menu" href="#nav" aria-label="Open contents">${icons.menu}</a>
<a class="brand" href="/docs">${mark}Dovepost<span class="wide">Docs</span></a>
<button class="button search" type="button" data-search aria-label="Search the documentation">${icons.search}<span>Search the docs</span><kbd>Ctrl K</kbd></button>
<a class="button ghost wide" href="/llms.txt">llms.txt</a>
<button class="button ghost" type="button" data-theme-switch aria-label="Switch theme">${icons.theme}</button>
<a class="button" href="/">Dashboard</a>
</header>
<div class="page">
<nav class="nav" id="nav" aria-label="Documentation"><a class="button nav-close" href="#content">Close</a>${navigation(pages, page)}</nav>
<main class="main" id="content"><article class="prose">${article}</article>${page ? contents(page) : ''}</main>
</div>
<dialog id="find" aria-label="Search the documentation">
<div class="find-bar"><input type="search" aria-label="Search for" placeholder="Search the docs"><button class="button" type="button" data-close>Close</button></div>
<ul></ul>
</dialog>
</body>
</html>
`;
}
