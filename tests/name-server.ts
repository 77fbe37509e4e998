import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server: answers A and AAAA questions from a table that may change between two questions. */
export type NameServer = {
  /** As `dns.setServers` takes it. */
  address: string;
  names: Map<string, { a?: string[]; aaaa?: string[] }>;
  [Symbol.asyncDispose](): Promise<void>;
};

const types = { 1: 'a', 28: 'aaaa' } as const;
const nameNotFound = 3;

export async function startNameServer(): Promise<NameServer> {
  const names: NameServer['names'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => socket.send(answer(question, names), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** RFC 1035 §4: header, the question repeated, then the records. */
function answer(message: Buffer, names: NameServer['names']): Buffer {
  const { name, end } = readName(message, 12);
  const type = types[message.readUInt16BE(end) as 1 | 28];
  const known = names.get(name);
  const addresses = (type && known?.[type]) ?? [];
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (known ? 0 : nameNotFound), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = type === 'a' ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
    const record = Buffer.alloc(12);
    // A pointer to the name in the question.
    record.writeUInt16BE(0xc00c, 0);
    message.copy(record, 2, end, end + 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, message.subarray(12, end + 4), ...records]);
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** All eight groups written out. */
function ipv6Bytes(address: string): Buffer {
  const bytes = Buffer.alloc(16);
  address.split(':').forEach((group, index) => bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2));
  return bytes;
}
