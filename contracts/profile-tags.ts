import { z } from 'zod';

/** Commas and the like part tags in files and addresses. */
const isTag = (text: string) => text.isWellFormed() && !/[\p{Cc},;|]/u.test(text);

/** As a tag is kept: in lower case, single spaces, nothing around it. */
export const normalizeTag = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

export const ProfileTag = z
  .string('Enter a tag')
  .max(200, 'A tag takes at most 50 characters')
  .transform(normalizeTag)
  .pipe(
    z
      .string()
      .min(1, 'Enter a tag')
      .max(50, 'A tag takes at most 50 characters')
      .refine(isTag, 'A tag takes no commas, semicolons or bars'),
  );

export const maxTags = 50;

/** Each once, in the order of their letters. */
export const sortedTags = (tags: readonly string[]): string[] => [...new Set(tags)].toSorted();

export const ProfileTags = z
  .array(ProfileTag)
  .max(maxTags, `Use at most ${maxTags} tags`)
  .transform(sortedTags)
  .describe('Tags, in lower case, each once; at most 50.');
