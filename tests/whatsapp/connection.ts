/** A client's connection: frames in order, requests to the client, and the facts learned at login. */
import { decodeBinaryNode, encodeBinaryNode } from 'baileys';
import type { proto } from 'baileys';
import type { Account, LinkedDevice } from './account.ts';
import type { KeyPair } from './crypto.ts';
import { newId } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import { NoiseServer } from './noise.ts';
import type { ServerWebSocket } from './websocket.ts';

export type ConnectionOptions = {
  socket: ServerWebSocket;
  staticKey: KeyPair;
  certificateChain: Buffer;
  onLogin(connection: Connection, payload: proto.ClientPayload): void;
  /** Nodes come one after the other: the next waits for the promise. */
  onNode(connection: Connection, node: BinaryNode): Promise<void> | void;
  onError(error: unknown): void;
};

/** The account and device at the other end once logged in. */
export type Login = { account: Account; device: LinkedDevice };

export class Connection {
  login: Login | undefined;
  isActive = false;
  readonly #socket: ServerWebSocket;
  readonly #noise: NoiseServer;
  readonly #awaited = new Map<string, (answer: BinaryNode) => void>();
  #work: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.#socket = options.socket;
    this.#noise = new NoiseServer({
      staticKey: options.staticKey,
      certificateChain: options.certificateChain,
      write: (bytes) => options.socket.send(bytes),
      onLogin: (payload) => options.onLogin(this, payload),
      onFrame: (plaintext) => {
        this.#work = this.#work.then(() => this.#receive(plaintext, options)).catch(options.onError);
      },
    });
    options.socket.onMessage = (data) => {
      try {
        this.#noise.push(data);
      } catch (error) {
        options.onError(error);
        options.socket.close();
      }
    };
  }

  get clientStaticKey(): Buffer {
    return this.#noise.clientStaticKey;
  }

  get isClosing(): boolean {
    return this.#socket.isClosing;
  }

  send(sent: BinaryNode): void {
    this.#noise.send(encodeBinaryNode(sent));
  }

  /** Asks the client something and waits for the answer with the same id. */
  request(sent: BinaryNode): Promise<BinaryNode> {
    const id = sent.attrs.id ?? newId('R');
    return new Promise((resolve) => {
      this.#awaited.set(id, resolve);
      this.send({ ...sent, attrs: { ...sent.attrs, id } });
    });
  }

  close(): void {
    this.#socket.close();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  async #receive(plaintext: Buffer, options: ConnectionOptions): Promise<void> {
    const received = await decodeBinaryNode(plaintext);
    const id = received.attrs.id ?? '';
    const waiting = received.tag === 'iq' ? this.#awaited.get(id) : undefined;
    if (waiting && (received.attrs.type === 'result' || received.attrs.type === 'error')) {
      this.#awaited.delete(id);
      return waiting(received);
    }
    await options.onNode(this, received);
  }
}
