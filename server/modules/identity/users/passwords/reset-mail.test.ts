import { expect, test } from 'vitest';
import { resetMail } from './reset-mail.ts';

const link = 'https://example.org/reset-password?token=abc&x="y"';

test('says the same in text and in HTML, where the name cannot become markup', () => {
  const { text, html } = resetMail({ name: `<b>O'Neil</b> & "Co"`, link });
  expect(text).toContain(link);
  expect(text).toContain(`Hello <b>O'Neil</b> & "Co",`);
  expect(html).toContain('href="https://example.org/reset-password?token=abc&amp;x=&quot;y&quot;"');
  expect(html).toContain('Hello &lt;b&gt;O&#39;Neil&lt;/b&gt; &amp; &quot;Co&quot;,');
  expect(html).not.toContain('<b>');
});
