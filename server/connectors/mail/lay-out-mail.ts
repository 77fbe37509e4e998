import { escapeHtml } from './escape-html.ts';
import type { Mail } from './port.ts';

/** The content of a mail, from which both of its parts are made. Nothing in it is markup. */
export type MailContent = {
  subject: string;
  /** The preview that a mailbox shows beside the subject, before the mail is opened. */
  preview: string;
  heading: string;
  /** Whom it greets. */
  name: string;
  paragraphs: readonly string[];
  facts?: readonly { term: string; value: string }[];
  action: { label: string; link: string };
  /** Why it came, and what to do when it was not expected. */
  footnote: string;
};

const textWidth = 72;

/** The same words as text and as HTML, in the one look that all mails share. */
export function layOutMail(content: MailContent): Omit<Mail, 'to'> {
  const name = withoutLinks(content.name.trim().replaceAll(/\s+/g, ' '));
  const facts = content.facts?.map(({ term, value }) => ({ term, value: withoutLinks(value) })) ?? [];
  const greeted = { ...content, name, facts };
  return { subject: content.subject, text: textOf(greeted), html: htmlOf(greeted) };
}

const looksLikeLink = /:\/\/|\bwww\.|@|[\p{L}\p{N}]\.\p{L}{2}/iu;
const wordJoiner = '\u2060';

/**
 * Mail programs make links of what looks like one, and people choose their names themselves: a sign without width after
 * each dot, colon, slash and @ ends that, and changes nothing that is seen.
 */
function withoutLinks(text: string): string {
  return looksLikeLink.test(text) ? text.replaceAll(/[.:/@](?=\S)/g, `$&${wordJoiner}`) : text;
}

function textOf({ name, paragraphs, facts = [], action, footnote }: MailContent): string {
  const table = facts.map(({ term, value }) => `${term}: ${value}`).join('\n');
  const parts = [
    `Hello ${name},`,
    ...paragraphs.map(wrapText),
    ...(table === '' ? [] : [table]),
    `${action.label}:\n${action.link}`,
    wrapText(footnote),
    'Dovepost',
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Breaks between words; a word longer than the line, such as a link, stays whole. */
function wrapText(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > textWidth) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}

const font = "'Inter',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const bodyText = 'font-size:15px;line-height:1.6';
const smallText = 'font-size:13px;line-height:1.6';

/**
 * Programs that know no style sheet show the inline colours, which are the light ones; those that do change with the
 * reader's theme.
 */
const darkTheme = `@media (prefers-color-scheme: dark) {
  .page { background: #131211 !important; color: #f0eeeb !important; }
  .card { background: #201e1d !important; border-color: #3a3735 !important; }
  .muted { color: #aeaca8 !important; }
  .rule { border-color: #3a3735 !important; }
  .link { color: #6eccd4 !important; }
  .button { background: #047a86 !important; }
}`;

/** Tables and inline styles: what mail programs agree on. */
function htmlOf(content: MailContent): string {
  const name = escapeHtml(content.name);
  const link = escapeHtml(content.action.link);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>
:root { color-scheme: light dark; }
${darkTheme}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f5f3;font-family:${font};color:#1d1a17">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.preview)}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f5f3;color:#1d1a17">
<tr><td align="center" style="padding:40px 16px">
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e5e4e1;border-radius:12px">
<tr><td style="padding:32px;text-align:left">
<p class="link" style="margin:0 0 24px;font-size:15px;line-height:1.4;font-weight:600;color:#005e68">Dovepost</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;letter-spacing:-0.014em">${escapeHtml(content.heading)}</h1>
<p style="margin:0 0 16px;${bodyText}">Hello ${name},</p>
${content.paragraphs.map((text) => `<p style="margin:0 0 16px;${bodyText}">${escapeHtml(text)}</p>`).join('\n')}
${factsOf(content)}<p style="margin:24px 0"><a class="button" href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#00626d;color:#ffffff;font-size:15px;line-height:1.3;font-weight:600;text-decoration:none">${escapeHtml(content.action.label)}</a></p>
<p class="muted" style="margin:0 0 4px;${smallText};color:#56524d">Or copy this address into your browser:</p>
<p style="margin:0 0 24px;${smallText};word-break:break-all"><a class="link" href="${link}" style="color:#005e68">${link}</a></p>
<p class="muted rule" style="margin:0;padding-top:20px;border-top:1px solid #e5e4e1;${smallText};color:#56524d">${escapeHtml(content.footnote)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function factsOf({ facts = [] }: MailContent): string {
  if (facts.length === 0) return '';
  const rows = facts.map(
    ({ term, value }) =>
      `<tr><td class="muted rule" style="padding:8px 16px 8px 0;border-top:1px solid #e5e4e1;font-size:14px;line-height:1.4;color:#56524d;white-space:nowrap">${escapeHtml(term)}</td><td class="rule" align="right" style="padding:8px 0;border-top:1px solid #e5e4e1;font-size:14px;line-height:1.4;font-weight:600">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0">\n${rows.join('\n')}\n</table>\n`;
}
