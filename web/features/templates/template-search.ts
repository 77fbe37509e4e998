import { pagesInUrl } from '#web/shared/table/page-in-url.ts';

/** What the templates page shows, as the URL keeps it. */
export type TemplateSearch = {
  /** From 2 on. */
  page?: number;
  search?: string;
};

const pages = pagesInUrl('page');

/** A route's `validateSearch`: what it does not know is left out. */
export function templateSearch(search: Record<string, unknown>): TemplateSearch {
  const text = search['search'];
  return { ...pages(search), ...(typeof text === 'string' && text !== '' && { search: text.slice(0, 120) }) };
}
