/** A field of a protobuf message: a number, or the bytes of a text, of bytes or of a message inside. */
export type Field = { number: number; value: number; bytes: Buffer | undefined };

const varint = 0;
const fixed64 = 1;
const delimited = 2;
const fixed32 = 5;

/** Longer than any real conversation: such a length means a broken or hostile file. */
const maxFieldBytes = 128 * 2 ** 20;

/** The fields of a whole message. Throws on what is no protobuf. */
export function* fieldsOf(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length;) {
    const read = readField(message, at);
    if (read.kind !== 'field') throw new Error('A field ends beyond its message');
    yield read.field;
    at = read.end;
  }
}

/** The fields of a message that comes in pieces; of its bytes only those of one field are kept at a time. */
export class FieldStream {
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = 1;

  *push(piece: Buffer): Generator<Field> {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#wanted) return;
    const all = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    let at = 0;
    let read = readField(all, at);
    while (read.kind === 'field') {
      yield read.field;
      at = read.end;
      read = readField(all, at);
    }
    this.#pieces = [all.subarray(at)];
    this.#length = all.length - at;
    this.#wanted = read.wanted - at;
  }

  /** Throws where the message ended amid a field. */
  end(): void {
    if (this.#length > 0) throw new Error('The message ends amid a field');
  }
}

/** `wanted`: how many bytes there have to be until it can be read. */
type Read = { kind: 'field'; field: Field; end: number } | { kind: 'incomplete'; wanted: number };

function readField(bytes: Buffer, start: number): Read {
  const tag = readVarint(bytes, start);
  if (!tag) return { kind: 'incomplete', wanted: bytes.length + 1 };
  const number = Math.floor(tag.value / 8);
  const type = tag.value % 8;
  if (type === varint || type === delimited) {
    const found = readVarint(bytes, tag.end);
    if (!found) return { kind: 'incomplete', wanted: bytes.length + 1 };
    if (type === varint)
      return { kind: 'field', field: { number, value: found.value, bytes: undefined }, end: found.end };
    if (found.value > maxFieldBytes) throw new Error('A field is too long');
    const end = found.end + found.value;
    if (end > bytes.length) return { kind: 'incomplete', wanted: end };
    return { kind: 'field', field: { number, value: 0, bytes: bytes.subarray(found.end, end) }, end };
  }
  if (type !== fixed64 && type !== fixed32) throw new Error('A field has an unknown type');
  const end = tag.end + (type === fixed64 ? 8 : 4);
  if (end > bytes.length) return { kind: 'incomplete', wanted: end };
  return { kind: 'field', field: { number, value: 0, bytes: undefined }, end };
}

/** Values beyond 2^53 lose their last digits: nothing that is read here is as large. */
function readVarint(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  throw new Error('A number is too long');
}
