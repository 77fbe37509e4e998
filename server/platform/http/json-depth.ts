const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Whether arrays and objects in a JSON text lie deeper in one another than `max`. Reads each character once, before
 * anything is parsed: what walks over the parsed value may then recurse.
 */
export function isDeeperThan(json: string, max: number): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === quote) index = endOfString(json, index);
    else if (opening.has(code)) {
      depth += 1;
      if (depth > max) return true;
    } else if (closing.has(code)) depth -= 1;
  }
  return false;
}

/** The place of the quote that ends the string that begins at `start`, or of the text's end. */
function endOfString(json: string, start: number): number {
  let end = start;
  for (;;) {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}
