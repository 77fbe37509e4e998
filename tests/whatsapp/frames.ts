/** Frames on the wire: a 3-byte big-endian length, then that many bytes. Frames and WebSocket messages do not align. */
const lengthBytes = 3;

export function encodeFrame(data: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(lengthBytes + data.length);
  frame.writeUIntBE(data.length, 0, lengthBytes);
  data.copy(frame, lengthBytes);
  return frame;
}

const header = Buffer.from('WA');
const headerBytes = 4;
const routingMark = Buffer.from('ED');
const routingPrefixBytes = 7;

/** Collects bytes and hands out whole frames; the connection's introduction comes first. */
export class FrameReader {
  #buffered: Buffer = Buffer.alloc(0);

  push(data: Buffer): void {
    this.#buffered = this.#buffered.length > 0 ? Buffer.concat([this.#buffered, data]) : data;
  }

  /**
   * The 4-byte header `WA` + version + dictionary version. A client that was given routing information puts it in
   * front: `ED 00 01`, a 24-bit length, the information.
   */
  takeHeader(): Buffer {
    if (this.#buffered.subarray(0, 2).equals(routingMark)) {
      this.#buffered = this.#buffered.subarray(routingPrefixBytes + this.#buffered.readUIntBE(4, 3));
    }
    const taken = this.#buffered.subarray(0, headerBytes);
    if (!taken.subarray(0, 2).equals(header)) throw new Error(`not a WhatsApp header: ${taken.toString('hex')}`);
    this.#buffered = this.#buffered.subarray(headerBytes);
    return taken;
  }

  *takeFrames(): Generator<Buffer> {
    while (this.#buffered.length >= lengthBytes) {
      const end = lengthBytes + this.#buffered.readUIntBE(0, lengthBytes);
      if (this.#buffered.length < end) return;
      const frame = this.#buffered.subarray(lengthBytes, end);
      this.#buffered = this.#buffered.subarray(end);
      yield frame;
    }
  }
}
