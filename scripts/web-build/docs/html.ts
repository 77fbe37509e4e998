import { highlight } from '../../../web/shared/code/highlight.ts';
import type { CodeLanguage } from '../../../web/shared/code/highlight.ts';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Backticks become code, the rest is text. */
export const inline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

export const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '');

export type Sample = { language: string; code: string };

const languages: Readonly<Record<string, { name: string; grammar?: CodeLanguage }>> = {
  sh: { name: 'curl', grammar: 'curl' },
  js: { name: 'JavaScript', grammar: 'javascript' },
  ts: { name: 'TypeScript', grammar: 'javascript' },
  python: { name: 'Python', grammar: 'python' },
  php: { name: 'PHP', grammar: 'php' },
  json: { name: 'JSON', grammar: 'json' },
  ruby: { name: 'Ruby' },
};

function coloured({ language, code }: Sample): string {
  const grammar = languages[language]?.grammar;
  if (grammar === undefined) return escapeHtml(code);
  return highlight(code, grammar)
    .map(({ kind, text }) =>
      kind === 'plain' ? escapeHtml(text) : `<span class="c-${kind}">${escapeHtml(text)}</span>`,
    )
    .join('');
}

let groups = 0;

/** A single sample gets a Copy button; several samples become tabs that work without a script. */
export function codeBlock(samples: readonly Sample[], label?: string): string {
  groups += 1;
  const nameOf = ({ language }: Sample) => languages[language]?.name ?? language;
  const blocks = samples.map(
    (sample, index) =>
      `<pre tabindex="0" role="region" aria-label="${escapeHtml(label ?? 'Example')}, ${nameOf(sample)} ${groups}" class="pre-${index}"><code>${coloured(sample)}</code></pre>`,
  );
  const tabs = samples.map(
    (sample, index) =>
      `<label><input type="radio" name="code-${groups}" value="${nameOf(sample)}" class="tab-${index}"${index === 0 ? ' checked' : ''}><span>${nameOf(sample)}</span></label>`,
  );
  const head =
    samples.length === 1
      ? `<span>${escapeHtml(label ?? nameOf(samples[0] ?? { language: '', code: '' }))}</span>`
      : `<fieldset class="code-tabs"><legend>Language</legend>${tabs.join('')}</fieldset>`;
  const copy = '<button class="button ghost" type="button" data-copy>Copy</button>';
  return `<div class="code${samples.length > 1 ? ' tabbed' : ''}"><div class="code-bar">${head}${copy}</div>${blocks.join('')}</div>`;
}

/** Cells are HTML. */
export function table(
  label: string,
  heads: readonly string[],
  rows: readonly { id?: string; cells: readonly string[] }[],
) {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows
    .map(
      ({ id, cells: [first = '', ...rest] }) =>
        `<tr${id === undefined ? '' : ` id="${escapeHtml(id)}"`}><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    )
    .join('');
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
