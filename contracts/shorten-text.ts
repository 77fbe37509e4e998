/** At most `max` UTF-16 units of the text, the last of them `…` where something was cut; never half a character. */
export function shortenText(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max - 1)}…` : text;
}

/** The first `max` UTF-16 units of the text, or one less where the cut would fall into a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? max - 1 : max);
}

/** The first name of a copy, in at most `max` UTF-16 units. */
export const copiedName = (name: string, max: number): string => cutText(`Copy of ${name}`, max);
