import { formatNumber } from '#server/platform/number-plans.ts';
import type { PreferencesLanguage } from './texts.ts';
import { texts } from './texts.ts';

export type PreferencesView = {
  language: PreferencesLanguage;
  business: string;
  phone: string;
  isOptedOut: boolean;
  isSaved: boolean;
  topics: readonly { topic_id: number; name: string; description: string | null; receives: boolean }[];
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

const style = `
:root{color-scheme:light dark;--bg:#f6f7f6;--card:#fff;--text:#17201b;--soft:#5b6760;--line:#dfe4e1;--accent:oklch(0.455 0.078 207);--on:#fff;--note:oklch(0.945 0.018 205)}
@media(prefers-color-scheme:dark){:root{--bg:#101412;--card:#181d1a;--text:#e9eeeb;--soft:#9caaa2;--line:#2b332f;--accent:oklch(0.79 0.09 203);--on:#08130d;--note:oklch(0.285 0.03 207)}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif;padding:24px 16px;overflow-wrap:anywhere}
main{max-width:480px;margin:0 auto;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:24px}
h1{font-size:22px;line-height:1.25;margin:0 0 8px}p{margin:0 0 16px;color:var(--soft)}.note{background:var(--note);color:var(--text);border-radius:8px;padding:12px}
ul{list-style:none;margin:0 0 8px;padding:0}li{border-top:1px solid var(--line)}label{display:flex;gap:12px;padding:14px 0;cursor:pointer}
input{width:20px;height:20px;margin:2px 0 0;accent-color:var(--accent);flex:none}small{display:block;color:var(--soft);font-size:14px}
.all{border-top:1px solid var(--line);border-bottom:1px solid var(--line);margin-bottom:20px}
button{font:inherit;font-weight:600;width:100%;min-height:44px;border:0;border-radius:8px;background:var(--accent);color:var(--on);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

function document({ language, title, body }: { language: PreferencesLanguage; title: string; body: string }): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escape(title)}</title><style>${style}</style></head>
<body><main>${body}</main></body></html>
`;
}

/** A page that works without any script. */
export function preferencesPage(view: PreferencesView): string {
  const words = texts[view.language];
  const checkbox = (name: string, value: string, isOn: boolean) =>
    `<input type="checkbox" name="${name}" value="${value}"${isOn ? ' checked' : ''}>`;
  const topics = view.topics
    .map(({ topic_id: id, name, description, receives }) => {
      const hint = description === null ? '' : `<small><bdi>${escape(description)}</bdi></small>`;
      return `<li><label>${checkbox('topic', String(id), receives)}<span><bdi>${escape(name)}</bdi>${hint}</span></label></li>`;
    })
    .join('');
  const shown = view.topics.map(({ topic_id: id }) => `<input type="hidden" name="shown" value="${id}">`).join('');
  const form = `<form method="post">${shown}${topics === '' ? `<p>${escape(words.noTopics)}</p>` : `<ul>${topics}</ul>`}
<div class="all"><label>${checkbox('all', 'stop', false)}<span>${escape(words.stopAll)}<small>${escape(words.stopAllHint)}</small></span></label></div>
<button type="submit">${escape(words.save)}</button></form>`;
  const saved = view.isSaved ? `<p class="note" role="status">${escape(words.saved)}</p>` : '';
  const body = `<h1>${escape(words.title)}</h1><p>${escape(words.intro(view.business))}<br>${escape(words.number)} <bdi>${escape(formatNumber(view.phone))}</bdi></p>${saved}
${view.isOptedOut ? `<p class="note">${escape(words.allOff)}</p>` : form}`;
  return document({ language: view.language, title: words.title, body });
}

export function messagePage(language: PreferencesLanguage, text: { title: string; hint: string }): string {
  const body = `<h1>${escape(text.title)}</h1><p>${escape(text.hint)}</p>`;
  return document({ language, title: text.title, body });
}
