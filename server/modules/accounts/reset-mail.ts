import type { Mail } from '#server/connectors/mail/port.ts';
import { escapeHtml } from './escape-html.ts';

const subject = 'Reset your Dovepost password';

/** The mail with the link that lasts an hour. */
export function resetMail({ name, link }: { name: string; link: string }): Omit<Mail, 'to'> {
  return { subject, text: textOf(name, link), html: htmlOf(escapeHtml(name), escapeHtml(link)) };
}

function textOf(name: string, link: string): string {
  return `Hello ${name},

someone, hopefully you, asked to reset the password of your Dovepost account.
Choose a new one here:

${link}

The link works once, for one hour. If it was not you, ignore this mail:
your password stays as it is.

Dovepost
`;
}

/** Tables and inline styles: what mail programs agree on. */
function htmlOf(name: string, link: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:#f4f5f4;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1b1f1d">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f4">
<tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e2e5e3;border-radius:12px">
<tr><td style="padding:32px">
<p style="margin:0 0 24px;font-size:15px;font-weight:600;color:#0f766e">Dovepost</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600">Reset your password</h1>
<p style="margin:0 0 24px;font-size:15px;line-height:1.6">Hello ${name}, someone, hopefully you, asked to reset the password of your Dovepost account.</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">Choose a new password</a></p>
<p style="margin:0 0 8px;font-size:13px;line-height:1.6;color:#5b635f">Or copy this address into your browser:</p>
<p style="margin:0 0 24px;font-size:13px;line-height:1.6;word-break:break-all"><a href="${link}" style="color:#0f766e">${link}</a></p>
<p style="margin:0;padding-top:20px;border-top:1px solid #e2e5e3;font-size:13px;line-height:1.6;color:#5b635f">The link works once, for one hour. If it was not you, ignore this mail: your password stays as it is.</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
