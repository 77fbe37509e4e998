import { expect, test } from 'vitest';
import { showLinks, withPlainLinks } from './show-links.ts';

const template =
  'See {link:https://a.example/x} and {link:https://b.example/?y=1}, {preferences_link}. {link:https://a.example/x}';

test('a preview with links that lead somewhere has each in its place', () => {
  const preview = showLinks(template);
  expect(preview.match(/\/l\/[\w-]{22}/g)).toHaveLength(3);
  expect(withPlainLinks(preview, template)).toMatch(
    /^See https:\/\/a\.example\/x and https:\/\/b\.example\/\?y=1, http\S+\/p\/[\w-]{22}\. https:\/\/a\.example\/x$/,
  );
  expect(withPlainLinks('No link', 'No link')).toBe('No link');
});
