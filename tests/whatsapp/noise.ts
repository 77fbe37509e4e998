/**
 * The server's side of Noise_XX_25519_AESGCM_SHA256 as WhatsApp Web speaks it: the hash and the salt start as the
 * protocol name padded with NULs to 32 bytes, the IV's counter is its last 4 bytes, and after the handshake the
 * client writes with the first half of the final HKDF.
 */
import { proto } from 'baileys';
import { agree, decryptGcm, encryptGcm, generateKeyPair, hkdf, sha256 } from './crypto.ts';
import type { KeyPair } from './crypto.ts';
import { encodeFrame, FrameReader } from './frames.ts';

const protocolName = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0');
const empty: Buffer = Buffer.alloc(0);

export type NoiseOptions = {
  staticKey: KeyPair;
  certificateChain: Buffer;
  write(bytes: Buffer): void;
  /** The client's login or registration, once the handshake is over. */
  onLogin(payload: proto.ClientPayload): void;
  /** Each decrypted frame after that. */
  onFrame(plaintext: Buffer): void;
};

export class NoiseServer {
  readonly #options: NoiseOptions;
  readonly #reader = new FrameReader();
  readonly #ephemeral = generateKeyPair();
  #stage: 'introduction' | 'hello' | 'finish' | 'transport' = 'introduction';
  #hash: Buffer = protocolName;
  #salt: Buffer = protocolName;
  #key: Buffer = protocolName;
  #counter = 0;
  #reading = { key: empty, counter: 0 };
  #writing = { key: empty, counter: 0 };
  #clientStaticKey: Buffer = empty;

  constructor(options: NoiseOptions) {
    this.#options = options;
  }

  /** The client's long-lived public key, known once it has logged in. */
  get clientStaticKey(): Buffer {
    return this.#clientStaticKey;
  }

  push(data: Buffer): void {
    this.#reader.push(data);
    if (this.#stage === 'introduction') {
      this.#authenticate(this.#reader.takeHeader());
      this.#stage = 'hello';
    }
    for (const frame of this.#reader.takeFrames()) this.#receive(frame);
  }

  send(plaintext: Buffer): void {
    const sealed = encryptGcm(this.#writing.key, ivOf(this.#writing.counter++), plaintext, empty);
    this.#options.write(encodeFrame(sealed));
  }

  #receive(frame: Buffer): void {
    if (this.#stage === 'hello') this.#answerHello(frame);
    else if (this.#stage === 'finish') this.#finish(frame);
    else this.#options.onFrame(decryptGcm(this.#reading.key, ivOf(this.#reading.counter++), frame, empty));
  }

  #answerHello(frame: Buffer): void {
    const clientEphemeral = Buffer.from(proto.HandshakeMessage.decode(frame).clientHello?.ephemeral ?? empty);
    this.#authenticate(clientEphemeral);
    this.#authenticate(this.#ephemeral.publicKey);
    this.#mix(agree(this.#ephemeral.privateKey, clientEphemeral));
    const sealedStatic = this.#seal(this.#options.staticKey.publicKey);
    this.#mix(agree(this.#options.staticKey.privateKey, clientEphemeral));
    const payload = this.#seal(this.#options.certificateChain);
    const serverHello = { ephemeral: this.#ephemeral.publicKey, static: sealedStatic, payload };
    this.#options.write(encodeFrame(Buffer.from(proto.HandshakeMessage.encode({ serverHello }).finish())));
    this.#stage = 'finish';
  }

  #finish(frame: Buffer): void {
    const { clientFinish } = proto.HandshakeMessage.decode(frame);
    this.#clientStaticKey = this.#open(Buffer.from(clientFinish?.static ?? empty));
    this.#mix(agree(this.#ephemeral.privateKey, this.#clientStaticKey));
    const payload = proto.ClientPayload.decode(this.#open(Buffer.from(clientFinish?.payload ?? empty)));
    const keys = hkdf(empty, 64, this.#salt);
    this.#reading = { key: keys.subarray(0, 32), counter: 0 };
    this.#writing = { key: keys.subarray(32), counter: 0 };
    this.#stage = 'transport';
    this.#options.onLogin(payload);
  }

  #authenticate(data: Buffer): void {
    this.#hash = sha256(Buffer.concat([this.#hash, data]));
  }

  #mix(secret: Buffer): void {
    const keys = hkdf(secret, 64, this.#salt);
    this.#salt = keys.subarray(0, 32);
    this.#key = keys.subarray(32);
    this.#counter = 0;
  }

  #seal(plaintext: Buffer): Buffer {
    const sealed = encryptGcm(this.#key, ivOf(this.#counter++), plaintext, this.#hash);
    this.#authenticate(sealed);
    return sealed;
  }

  #open(sealed: Buffer): Buffer {
    const plaintext = decryptGcm(this.#key, ivOf(this.#counter++), sealed, this.#hash);
    this.#authenticate(sealed);
    return plaintext;
  }
}

function ivOf(counter: number): Buffer {
  const iv = Buffer.alloc(12);
  iv.writeUInt32BE(counter, 8);
  return iv;
}
