const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openings = new Set([0x5b, 0x7b]);
const closings = new Set([0x5d, 0x7d]);
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

export type JsonBounds = { maxDepth: number; maxValues: number };

/**
 * Whether arrays and objects in a JSON text lie deeper in one another than `maxDepth`, or hold more than `maxValues`
 * values, themselves included. Reads each character once, before anything is parsed: a name that is parsed costs a
 * hundred times as much, and what walks over the parsed value may then recurse.
 */
export function findExcess(json: string, { maxDepth, maxValues }: JsonBounds): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  let isEmpty = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (spaces.has(code)) continue;
    // The first value of an array or object follows its bracket, and each other one a comma.
    if (code === comma || (isEmpty && !closings.has(code))) values += 1;
    if (values > maxValues) return 'values';
    isEmpty = openings.has(code);
    if (isEmpty) {
      depth += 1;
      if (depth > maxDepth) return 'depth';
    } else if (closings.has(code)) depth -= 1;
    else if (code === quote) index = endOfString(json, index);
  }
  return undefined;
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
