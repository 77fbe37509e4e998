/** Linking a new device: by scanning a QR code or by typing a pairing code on the handset. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import type { Account, LinkedDevice } from './account.ts';
import type { Connection } from './connection.ts';
import { agree, applyCtr, generateKeyPair } from './crypto.ts';
import { openKeyBundle, requireDeviceSignature, vouchFor } from './device-identity.ts';
import type { Faults } from './faults.ts';
import { bytesOf, child, newId, node, nowSeconds, parseAddress, server, toUnsigned } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import type { PublishedKeys } from './signal-party.ts';

export type ScanOptions = {
  /** The account's name, told to the device. */
  name?: string;
  /** The handset's answer fails the check against the secret inside the QR code. */
  badHmac?: boolean;
  /** The account's signature under the device's identity is spoiled. */
  badSignature?: boolean;
};

/** The facts that the handset learned of the device it linked. */
export type LinkResult = { jid: string; lid: string; os: string; platform: string };

type Registration = { keys: Omit<PublishedKeys, 'preKey'>; props: proto.DeviceProps };

type PendingCode = {
  connection: Connection;
  ref: Buffer;
  wrappedEphemeral: Buffer;
  onFinish?: (answer: BinaryNode) => void;
};

const pairingCodeIterations = 131_072;

export class Pairing {
  readonly #faults: Faults;
  readonly #registrations = new Map<Connection, Registration>();
  readonly #refs = new Map<string, Connection>();
  readonly #codes = new Map<string, PendingCode>();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** A device without an account: gives it references to show as QR codes. */
  register(connection: Connection, data: proto.ClientPayload.IDevicePairingRegistrationData): void {
    this.#registrations.set(connection, {
      keys: {
        registrationId: toUnsigned(data.eRegid ?? Buffer.alloc(0)),
        identity: Buffer.from(data.eIdent ?? []),
        signedPreKey: {
          id: toUnsigned(data.eSkeyId ?? Buffer.alloc(0)),
          publicKey: Buffer.from(data.eSkeyVal ?? []),
          signature: Buffer.from(data.eSkeySig ?? []),
        },
      },
      props: proto.DeviceProps.decode(data.deviceProps ?? Buffer.alloc(0)),
    });
    const refs = Array.from({ length: this.#faults.qrCodes }, () => `2@${randomBytes(48).toString('base64')}`);
    for (const ref of refs) this.#refs.set(ref, connection);
    const content = refs.map((ref) => node('ref', {}, Buffer.from(ref)));
    connection.send(
      node('iq', { from: server, type: 'set', id: newId('P'), xmlns: 'md' }, [node('pair-device', {}, content)]),
    );
  }

  forget(connection: Connection): void {
    this.#registrations.delete(connection);
    for (const [ref, owner] of this.#refs) if (owner === connection) this.#refs.delete(ref);
    for (const [number, pending] of this.#codes) if (pending.connection === connection) this.#codes.delete(number);
  }

  /** The connection that shows this QR code, checked as the handset and the server would. */
  connectionShowing(qr: string): Connection {
    const [ref = '', noiseKey = '', identity = ''] = partsOf(qr);
    const connection = this.#refs.get(ref);
    if (!connection) throw new Error('This QR code is unknown or has expired');
    if (!Buffer.from(noiseKey, 'base64').equals(connection.clientStaticKey)) {
      throw new Error('The QR code names another connection key');
    }
    if (!Buffer.from(identity, 'base64').equals(this.#registrationOf(connection).keys.identity)) {
      throw new Error('The QR code names another identity');
    }
    return connection;
  }

  scan(qr: string, account: Account, options: ScanOptions): Promise<LinkResult> {
    const connection = this.connectionShowing(qr);
    const [, , , secret = ''] = partsOf(qr);
    return this.#link(connection, account, Buffer.from(secret, 'base64'), options);
  }

  /** The device announced a code for this number. Answers with a reference of this attempt. */
  announceCode(connection: Connection, request: BinaryNode): Buffer {
    const number = parseAddress(request.attrs.jid ?? '').user;
    const ref = randomBytes(16);
    const wrappedEphemeral = bytesOf(child(request, 'link_code_pairing_wrapped_companion_ephemeral_pub'));
    this.#codes.set(number, { connection, ref, wrappedEphemeral });
    return ref;
  }

  finishCode(request: BinaryNode): void {
    this.#codes.get(parseAddress(request.attrs.jid ?? '').user)?.onFinish?.(request);
  }

  /** Somebody types the code on the handset. Rejects when it is not the one the device shows. */
  async enterCode(account: Account, code: string, options: ScanOptions): Promise<LinkResult> {
    const pending = this.#codes.get(account.number);
    if (!pending) throw new Error(`No device waits for a code for ${account.number}`);
    const codeKey = (salt: Buffer) => pbkdf2Sync(code, salt, pairingCodeIterations, 32, 'sha256');
    const wrapped = pending.wrappedEphemeral;
    const companionEphemeral = applyCtr(
      codeKey(wrapped.subarray(0, 32)),
      wrapped.subarray(32, 48),
      wrapped.subarray(48, 80),
    );
    const ephemeral = generateKeyPair();
    const salt = randomBytes(32);
    const iv = randomBytes(16);
    const finished = new Promise<BinaryNode>((resolve) => (pending.onFinish = resolve));
    pending.connection.send(
      node('notification', { from: server, type: 'link_code_companion_reg', id: newId('N'), t: `${nowSeconds()}` }, [
        node('link_code_companion_reg', { stage: 'primary_hello' }, [
          node(
            'link_code_pairing_wrapped_primary_ephemeral_pub',
            {},
            Buffer.concat([salt, iv, applyCtr(codeKey(salt), iv, ephemeral.publicKey)]),
          ),
          node('primary_identity_pub', {}, account.party.identity.publicKey),
          node('link_code_pairing_ref', {}, pending.ref),
        ]),
      ]),
    );
    const bundle = bytesOf(child(await finished, 'link_code_pairing_wrapped_key_bundle'));
    const shared = agree(ephemeral.privateKey, companionEphemeral);
    const secret = openKeyBundle(bundle, shared, account.party.identity.privateKey);
    this.#codes.delete(account.number);
    return this.#link(pending.connection, account, secret, options);
  }

  async #link(connection: Connection, account: Account, secret: Buffer, options: ScanOptions): Promise<LinkResult> {
    const registration = this.#registrationOf(connection);
    if (options.name) account.name = options.name;
    const number = account.nextDeviceNumber();
    const jid = `${account.number}:${number}@${server}`;
    const lid = `${account.lid}:${number}@lid`;
    const reply = await connection.request(
      node('iq', { from: server, type: 'set', xmlns: 'md', t: `${nowSeconds()}` }, [
        node('pair-success', {}, [
          node('device-identity', {}, vouchFor(registration.keys.identity, number, account, secret, options)),
          node('biz', { name: account.name }),
          node('device', { jid, lid }),
          node('platform', { name: 'android' }),
        ]),
      ]),
    );
    requireDeviceSignature(reply, registration.keys.identity, account);
    account.devices.set(number, newDevice(number, connection, registration.keys));
    this.forget(connection);
    connection.send(node('stream:error', { code: '515' }));
    connection.close();
    const { os, platformType } = registration.props;
    return { jid, lid, os: os ?? '', platform: `${platformType ?? ''}` };
  }

  #registrationOf(connection: Connection): Registration {
    const registration = this.#registrations.get(connection);
    if (!registration) throw new Error('This connection is not linking a device');
    return registration;
  }
}

/** `https://…#ref,noise key,identity key,secret,platform`. */
function partsOf(qr: string): string[] {
  return qr.slice(qr.indexOf('#') + 1).split(',');
}

function newDevice(number: number, connection: Connection, keys: Omit<PublishedKeys, 'preKey'>): LinkedDevice {
  return {
    number,
    noiseKey: connection.clientStaticKey,
    keys,
    preKeys: [],
    connection: undefined,
    isNew: true,
    isToldOfPreKeys: false,
    isRemoved: false,
    unconfirmed: new Map(),
    sentToIt: new Map(),
    isAvailable: false,
    watched: new Set(),
    refused: new Set(),
    queue: undefined,
  };
}
