/** As much of RFC 6455 as the stand-in needs on the server's side: binary messages, pings, closing. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const handshakeGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

export class ServerWebSocket {
  onMessage: (data: Buffer) => void = () => {};
  onClose: () => void = () => {};
  readonly #stream: Duplex;
  #buffered: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #isClosing = false;
  /** The client's side, without a word: its process was killed. */
  #hasEnded = false;

  constructor(request: IncomingMessage, stream: Duplex) {
    this.#stream = stream;
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key'] ?? ''}${handshakeGuid}`)
      .digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    stream.on('data', (data: Buffer) => this.#push(data));
    stream.on('error', () => stream.destroy());
    stream.on('end', () => (this.#hasEnded = true));
    stream.on('close', () => this.onClose());
  }

  /** Whether either side has closed the connection, or is gone. */
  get isClosing(): boolean {
    return this.#isClosing || this.#hasEnded;
  }

  send(data: Buffer): void {
    if (!this.#isClosing) this.#write(opcode.binary, data);
  }

  /** Says goodbye, then ends the connection once everything before is written. */
  close(): void {
    if (this.#isClosing) return;
    this.#write(opcode.close, Buffer.from([0x03, 0xe8]));
    this.#isClosing = true;
    this.#stream.end();
  }

  /** Cuts the connection without a word. */
  terminate(): void {
    this.#isClosing = true;
    this.#stream.destroy();
  }

  #push(data: Buffer): void {
    this.#buffered = this.#buffered.length > 0 ? Buffer.concat([this.#buffered, data]) : data;
    for (;;) {
      const frame = parseFrame(this.#buffered);
      if (!frame) return;
      this.#buffered = this.#buffered.subarray(frame.end);
      this.#receive(frame);
    }
  }

  #receive(frame: Frame): void {
    if (frame.opcode === opcode.close) return this.close();
    if (frame.opcode === opcode.ping) return this.#write(opcode.pong, frame.payload);
    if (frame.opcode === opcode.pong) return;
    this.#parts.push(frame.payload);
    if (!frame.isFinal) return;
    const message = this.#parts.length === 1 ? frame.payload : Buffer.concat(this.#parts);
    this.#parts = [];
    this.onMessage(message);
  }

  #write(code: number, payload: Buffer): void {
    if (!this.#stream.writable) return;
    this.#stream.cork();
    this.#stream.write(frameHeader(code, payload.length));
    this.#stream.write(payload);
    this.#stream.uncork();
  }
}

type Frame = { opcode: number; isFinal: boolean; payload: Buffer; end: number };

function parseFrame(data: Buffer): Frame | undefined {
  if (data.length < 2) return undefined;
  const first = data.readUInt8(0);
  const second = data.readUInt8(1);
  const shortLength = second & 0x7f;
  const lengthBytes = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (data.length < start) return undefined;
  const length =
    lengthBytes === 2 ? data.readUInt16BE(2) : lengthBytes === 8 ? Number(data.readBigUInt64BE(2)) : shortLength;
  const end = start + length;
  if (data.length < end) return undefined;
  const payload = Buffer.from(data.subarray(start, end));
  if (isMasked) {
    const mask = data.subarray(start - 4, start);
    for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i & 3] ?? 0);
  }
  return { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, payload, end };
}

function frameHeader(code: number, length: number): Buffer {
  const first = 0x80 | code;
  if (length < 126) return Buffer.from([first, length]);
  const header = Buffer.alloc(length < 0x1_0000 ? 4 : 10);
  header.writeUInt8(first, 0);
  header.writeUInt8(length < 0x1_0000 ? 126 : 127, 1);
  if (length < 0x1_0000) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
