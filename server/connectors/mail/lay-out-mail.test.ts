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
