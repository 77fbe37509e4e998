import { z } from 'zod';
import { pageQuery } from './page.ts';

export const SortOrder = z.enum(['asc', 'desc']);
export type SortOrder = z.infer<typeof SortOrder>;

/** The search text above a list. */
export const ListSearch = z.string().trim().max(100, 'Use at most 100 characters').optional();

/** Opaque: how the rows are sorted, and where the page before ended. */
export const ListCursor = z
  .string()
  .regex(/^[\w-]{1,2000}$/, 'Use the next_cursor of an earlier answer')
  .optional()
  .describe('The `next_cursor` of the page before, with the same search, filters and order.');

/**
 * `?search=&sort=&order=&page=&pageSize=&after=` of a list that is answered whole unless a page of it is asked for, by
 * number or from a cursor on. The first of `sorts` is the usual one.
 */
export function listQuery<const Sort extends string>(sorts: readonly [Sort, ...Sort[]], searched: string) {
  const { page, pageSize } = pageQuery(50);
  return {
    search: ListSearch.describe(
      `Words of ${searched}, or their parts, in any order and case, with or without accents.`,
    ),
    sort: z
      .enum(sorts)
      .default(sorts[0] as z.util.NoUndefined<Sort>)
      .describe('What it is sorted by.'),
    order: SortOrder.optional().describe(
      'Descending unless it says otherwise for times and counts, ascending for text.',
    ),
    page: page.unwrap().optional(),
    pageSize: pageSize.unwrap().optional(),
    after: ListCursor,
  };
}

/** `total`, `page` and `pageSize` where a page was asked for; a page from a cursor on has no `total`. */
export function listAnswer<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('The entries.'),
    total: z.int().nonnegative().optional().describe('How many match, where a page is asked for by its number.'),
    page: z.int().positive().optional().describe('The page, from 1.'),
    pageSize: z.int().positive().optional().describe('How many to a page, up to 100.'),
    next_cursor: z.string().nullable().optional().describe('For `after`; null on the last page.'),
  });
}
