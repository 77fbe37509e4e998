import { z } from 'zod';

/** A positive integer id. */
export const Id = z.int().positive();

/** A whole number, as it stands in a path or a query: digits alone. */
export const WholeNumber = z.coerce
  .string<string | number>()
  .regex(/^\d{1,16}$/, 'Enter a whole number')
  .transform(Number);

export const IdParam = WholeNumber.pipe(Id);

/** Where the page before ended, of what is listed by its id. */
export const IdCursor = z
  .string()
  .regex(/^\d{1,16}$/, 'Use the next_cursor of an earlier answer')
  .optional()
  .describe('The `next_cursor` of the page before.');

/** ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime();

const notAMoment = 'Enter a date and time, ISO 8601';

const utcOf = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString());

/** A moment in any offset, kept as it is written; of the years 1 to 9999, as the database has no year 0. */
export const WrittenMoment = z.iso
  .datetime({ offset: true, error: notAMoment, abort: true })
  .refine((text) => /^(?!0000)\d{4}-/.test(utcOf(text)), notAMoment);

/** A moment by which a list is narrowed, read in UTC: the database does not take all offsets. */
export const Moment = WrittenMoment.overwrite(utcOf);

/** `?page=&pageSize=`, counted from 1; a value out of range is a 422, never a silent clamp. */
export function pageQuery(defaultPageSize: number) {
  return {
    page: WholeNumber.pipe(z.int().min(1, 'Pages count from 1').max(1_000_000, 'There are not that many pages'))
      .describe('The page, from 1.')
      .default(1),
    pageSize: WholeNumber.pipe(z.int().min(1, 'Use 1 to 100').max(100, 'Use 1 to 100'))
      .describe('How many to a page, up to 100.')
      .default(defaultPageSize),
  };
}

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item).describe('The entries.') });
}

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('The entries.'),
    total: z.int().nonnegative().describe('How many there are in all.'),
    page: z.int().positive().describe('The page, from 1.'),
    pageSize: z.int().positive().describe('How many to a page, up to 100.'),
  });
}

/** For how many hours what is replaced goes on beside its successor. */
export const overlapHours = (byDefault: number) =>
  z.int('Enter a whole number').min(0, 'Use 0 to 168').max(168, 'Use 0 to 168').default(byDefault);

export const isEstimate = z
  .boolean()
  .describe('Whether counting took too long, so that it is by a few thousand people, chosen by chance: about so many.');
