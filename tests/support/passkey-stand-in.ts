import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The parts of the options that an authenticator looks at vary. */
type Options = Readonly<Record<string, unknown>>;

type Change = {
  /** The authenticator has seen a fingerprint, a face or a PIN; it has unless told otherwise. */
  isVerified?: boolean;
  origin?: string;
  counter?: number;
  challenge?: string;
};

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();

/** CBOR (RFC 8949), as far as attestations need it. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as string)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}

/** An authenticator with one key (ES256), as the browser at `origin` speaks for it: WebAuthn Level 3, 6 and 7. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle = '';

  const clientData = (type: string, options: Options, change: Change) =>
    Buffer.from(
      JSON.stringify({ type, challenge: change.challenge ?? options['challenge'], origin: change.origin ?? origin }),
    );

  function authenticatorData(rpId: unknown, change: Change, attested: Buffer = Buffer.alloc(0)): Buffer {
    counter = change.counter ?? counter + 1;
    const flags = 0x01 | (change.isVerified === false ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(String(rpId)), Buffer.from([flags]), count, attested]);
  }

  return {
    register(options: Options, change: Change = {}) {
      userHandle = (options['user'] as { id: string }).id;
      const key = new Map<number | string, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)]);
      const authData = authenticatorData((options['rp'] as { id: string }).id, change, attested);
      const attestation = new Map<number | string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, change)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      };
    },
    answer(options: Options, change: Change = {}) {
      const data = clientData('webauthn.get', options, change);
      const authData = authenticatorData(options['rpId'], change);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
          userHandle,
        },
      };
    },
  };
}
