import { expect, test } from 'vitest';
import { sampleText } from './sample-text.ts';

test.each([
  ['Hi {name}!', 'Hi John!'],
  ['{email} {phone}', 'john@example.com 14155550123'],
  ['For {custom_fields.shop} and { plan }', 'For [custom_fields.shop] and [plan]'],
  ['No {} and no {\n}', 'No {} and no {\n}'],
])('%j reads %j', (template, text) => {
  expect(sampleText(template)).toBe(text);
});
