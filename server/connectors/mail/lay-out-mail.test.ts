import { expect, test } from 'vitest';
import { layOutMail } from './lay-out-mail.ts';

const link = `https://example.org/${'x'.repeat(90)}`;

test('the text breaks its lines between words, and leaves a link whole', () => {
  const { text, html } = layOutMail({
    subject: 'Terms & conditions',
    preview: '<soon>',
    heading: 'Terms & conditions',
    name: ' Ada\n',
    paragraphs: ['word '.repeat(60).trim(), 'Short.'],
    facts: [{ term: 'Plan <b>', value: 'Premium & more' }],
    action: { label: 'Read "them"', link },
    footnote: 'Because.',
  });
  const lines = text.split('\n');
  expect(lines.filter((line) => line.length > 72)).toEqual([link]);
  expect(lines[0]).toBe('Hello Ada,');
  expect(lines[2]).toBe('word '.repeat(14).trim());
  expect(text).toContain('Plan <b>: Premium & more');
  expect(text).toContain(`Read "them":\n${link}\n\nBecause.\n\nDovepost\n`);
  for (const part of [
    '&lt;soon&gt;',
    'Terms &amp; conditions',
    'Plan &lt;b&gt;',
    'Premium &amp; more',
    '&quot;them&quot;',
  ]) {
    expect(html).toContain(part);
  }
});

test.each(['Visit www.evil.example now', 'https://evil.example/x', 'evil.example', 'a@evil.example', 'paypal.com'])(
  'the name %s does not become a link',
  (name) => {
    const content = { subject: 'Hi', preview: '', heading: 'Hi', paragraphs: [], footnote: 'Because.' };
    const { text, html } = layOutMail({
      ...content,
      name,
      action: { label: 'Go', link },
      facts: [{ term: 'New', value: name }],
    });
    for (const part of [text, html]) {
      expect(part.replaceAll(link, '')).not.toMatch(/(evil|paypal)\.\w|www\.\w|@evil|:\/\/evil/);
      expect(part.replaceAll('\u2060', '')).toContain(name);
    }
  },
);

test.each(['J. R. Hartley', "O'Neil & Sons", 'Jean-Luc', 'Dr. Who'])('the name %s stays as it is', (name) => {
  const content = { subject: 'Hi', preview: '', heading: 'Hi', paragraphs: [], footnote: 'Because.' };
  expect(layOutMail({ ...content, name, action: { label: 'Go', link } }).text).toContain(`Hello ${name},`);
});
