import type { z } from 'zod';

/** `{link:https://…}` and `{preferences_link}`: what becomes an address of each recipient's own. */
const link = /\{\s*link:\s*([^{}\n]{1,600}?)\s*\}/g;
/** How a link begins, whether or not the rest reads as one. */
const opening = /\{\s*link:/g;
const preferences = /\{\s*preferences_link\s*\}/g;

export const mostLinks = 20;

/** Whether the path of a placeholder is none of a profile. */
export const isOwnLink = (path: string): boolean => path === 'preferences_link' || path.startsWith('link:');

/** The addresses that a template's links lead to, each once. */
export function linksIn(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(link), ([, url = '']) => url))];
}

/** For the fields in which a template is written. */
export function refuseWrongLinks(template: string, { addIssue }: z.RefinementCtx): void {
  const message = linkFault(template);
  if (message !== undefined) addIssue({ code: 'custom', message });
}

/** The fault of a template's links; undefined: none. */
function linkFault(template: string): string | undefined {
  const urls = linksIn(template);
  if (urls.length > mostLinks) return `Use at most ${mostLinks} links`;
  const wrong = urls.find((url) => !isAddress(url));
  if (wrong !== undefined) return `Write links as {link:https://example.com/…}, not {link:${wrong.slice(0, 60)}}`;
  const isAllRead = countOf(template, opening) === countOf(template, link);
  return isAllRead ? undefined : 'Write links as {link:https://example.com/…}: at most 600 characters, no placeholders';
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function isAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /[\s|]/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname !== '';
}

type Addresses = { link: (url: string) => string; preferences: () => string };

/** The template with addresses in their places. */
export function withLinks(template: string, { link: addressOf, preferences: page }: Addresses): string {
  return template.replaceAll(link, (_, url: string) => addressOf(url)).replaceAll(preferences, page);
}

/** The characters of a short address after `/l/` and `/p/`, as previews show them. */
export const exampleCode = 'k3TqW0pXvB9fZs2LhYd7Ng';
