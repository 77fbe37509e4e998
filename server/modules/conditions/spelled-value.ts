/** JSON's own way to write a number (RFC 8259, section 6). */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The stored values that a condition's text equals: the text, and the boolean or the number that it spells. */
export function spelledValues(text: string): (string | number | boolean)[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const number = jsonNumber.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? [text, number] : [text];
}
