import { exampleCode, withLinks } from '#contracts/own-links.ts';

const origin = () => globalThis.location?.origin ?? 'https://example.com';
const preferences = () => `${origin()}/p/${exampleCode}`;

/** The template with addresses as long as those that will go out. */
export const showLinks = (template: string): string =>
  withLinks(template, { link: () => `${origin()}/l/${exampleCode}`, preferences });

/** The same with links that lead somewhere before there is a run to count them: for tests. */
export const plainLinks = (template: string): string => withLinks(template, { link: (url) => url, preferences });

/** A preview of the template with links that lead somewhere, in place of examples: for tests. */
export function withPlainLinks(preview: string, template: string): string {
  const urls: string[] = [];
  withLinks(template, { link: (url) => String(urls.push(url)), preferences });
  return preview.replaceAll(/https?:\/\/\S+?\/l\/[\w-]{22}(?![\w-])/g, (example) => urls.shift() ?? example);
}
