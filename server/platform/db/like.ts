/** A text as it stands in the pattern of a LIKE: none of its characters is a wildcard. */
export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The pattern of a LIKE for what has the text anywhere in it. */
export const partOf = (text: string) => `%${escapeLike(text)}%`;
