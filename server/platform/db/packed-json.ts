/**
 * Most of the JSON of a message are these words. The one at place N is stored as the Nth of `packedCodes`: characters that JSON
 * escapes, so that none of them is in a text that is not packed. Rows hold these codes, and the database has the same
 * words (`unpacked_json`): another list is another function and another migration, and this one stays as it is.
 */
export const packedWords = [
  '{"type":"message.',
  '","timestamp":"',
  '","data":{"id":',
  ',"project_id":',
  ',"phone_id":',
  ',"profile_id":null,"campaign_id":null,"flow_id":null,"bulk_run_id":null,"to":"',
  ',"profile_id":',
  ',"campaign_id":null,"flow_id":null,"bulk_run_id":null,"to":"',
  ',"campaign_id":',
  ',"flow_id":null,"bulk_run_id":null,"to":"',
  ',"flow_id":',
  ',"bulk_run_id":null,"to":"',
  ',"read_at":"',
  '","from":"',
  '","from_lid":null,"type":"text","message":"',
  '","from_lid":null,"type":"',
  ',"media":null,"location":null,"contacts":null,"poll":null,"template":null,"pricing":null,"order":null,"payment":null,"call":null,"context":null,"protocol_type":null,"reply_to":null,"reactions":[],"metadata":null,"source":"api","direction":"outgoing","status":"',
  ',"media":null,"location":null,"contacts":null,"poll":null,"template":null,"pricing":null,"order":null,"payment":null,"call":null,"context":null,"protocol_type":null,"reply_to":null,"reactions":[],"metadata":',
  ',"location":null,"contacts":null,"poll":null,"template":',
  ',"order":null,"payment":null,"call":null,"context":null,"protocol_type":null,"reply_to":null,"reactions":[],"metadata":',
  '","direction":"outgoing","status":"',
  '","error":null,"error_code":null,"created_at":"',
  '","send_at":null,"sent_at":',
  ',"delivered_at":null,"read_at":null,"edited_at":null,"deleted_at":null,"override_opt_out":false}',
  ',"delivered_at":"',
  ',"read_at":null,"edited_at":null,"deleted_at":null,"override_opt_out":false}',
  ',"edited_at":null,"deleted_at":null,"override_opt_out":false}',
  ',"sequence":',
] as const;

/** Without line feed and carriage return, which are of lines, and tab, which has a meaning of its own. */
export const packedCodes = Array.from({ length: 31 }, (_, place) => place + 1).filter(
  (code) => ![9, 10, 13].includes(code),
);

/** In the place of the event's day with its `T`, wherever that is repeated after the timestamp. */
const sameDay = '\t';
/** Characters of a day, and before it the code of the timestamp's name. */
const dayLength = 11;
const stampCode = String.fromCodePoint(2);

/** Where the event's timestamp begins in a packed text; undefined: it has none. */
function stampOf(packed: string): number | undefined {
  const place = packed.indexOf(stampCode);
  return place === -1 ? undefined : place + 1;
}

const codeOf = new Map<string, string>(
  packedWords.map((word, place) => [word, String.fromCodePoint(packedCodes[place] ?? 0)]),
);
const wordOf = new Map([...codeOf].map(([word, code]) => [code, word]));

const anyOf = (texts: Iterable<string>) =>
  new RegExp([...texts].map((text) => text.replaceAll(/[{}[\].]/g, String.raw`\$&`)).join('|'), 'g');
/** The longest first: some begin as others do. */
const words = anyOf(packedWords.toSorted((one, other) => other.length - one.length));
const codes = anyOf(wordOf.keys());

/** A text of `JSON.stringify` as the database keeps it. */
export function packJson(json: string): string {
  const packed = json.replace(words, (word) => codeOf.get(word) ?? word);
  const stamp = stampOf(packed);
  if (stamp === undefined) return packed;
  const end = stamp + dayLength;
  return packed.slice(0, end) + packed.slice(end).replaceAll(packed.slice(stamp, end), sameDay);
}

/** The text that was packed, or `kept` where it never was. */
export function unpackJson(kept: string): string {
  const stamp = stampOf(kept);
  const day = stamp === undefined ? '' : kept.slice(stamp, stamp + dayLength);
  return kept.replaceAll(sameDay, () => day).replace(codes, (code) => wordOf.get(code) ?? code);
}
