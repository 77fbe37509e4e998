/** Further devices of anybody: a browser or a tablet beside the handset, with keys of its own. */
import { createHash } from 'node:crypto';
import type { Account, Directory, ShownText } from './account.ts';
import { deliver } from './mailbox.ts';
import { newId, node, nowSeconds, server } from './nodes.ts';
import { SignalParty } from './signal-party.ts';

export class Companion {
  readonly number: number;
  readonly party = new SignalParty();
  /** The texts that the device shows: messages to the account, and those that its other devices sent. */
  readonly texts: ShownText[] = [];

  constructor(number: number) {
    this.number = number;
  }

  show(text: ShownText): void {
    if (!this.texts.some(({ id }) => id === text.id)) this.texts.push(text);
  }
}

/** Adds a device; unless `isTold` is false, everybody's linked devices are told of it. */
export function addCompanion(directory: Directory, account: Account, isTold: boolean): Companion {
  const companion = new Companion(account.nextDeviceNumber());
  account.companions.set(companion.number, companion);
  if (isTold) tellDevices(directory, account, { tag: 'add', device: companion.number });
  return companion;
}

export function removeCompanion(directory: Directory, account: Account, device: number, isTold: boolean): void {
  account.companions.delete(device);
  if (isTold) tellDevices(directory, account, { tag: 'remove', device });
}

function tellDevices(directory: Directory, account: Account, change: { tag: 'add' | 'remove'; device: number }): void {
  const { tag, device } = change;
  const pn = node('device', { jid: `${account.number}:${device}@${server}`, 'key-index': `${device}` });
  const all = devicesOf(account).map((number) => node('device', { jid: `${account.number}:${number}@${server}` }));
  for (const other of directory.all()) {
    const isOwn = other === account;
    for (const linked of other.devices.values()) {
      const attrs = { from: `${account.number}@${server}`, id: newId('N'), t: `${nowSeconds()}` };
      const content = isOwn
        ? [node('devices', { dhash: deviceHash([account]) }, all)]
        : [node(tag, { device_hash: deviceHash([account]) }, [pn])];
      const type = isOwn ? 'account_sync' : 'devices';
      deliver(
        linked,
        node('notification', { ...attrs, type, ...(isOwn ? {} : { lid: `${account.lid}@lid` }) }, content),
      );
    }
  }
}

/** The numbers of the account's devices; the handset is 0. */
export function devicesOf(account: Account): number[] {
  const linked = [...account.devices.values()].filter((device) => !device.isRemoved).map(({ number }) => number);
  return [0, ...account.companions.keys(), ...linked];
}

/** The hash of the devices of everybody in a conversation: it changes when one of them changes. */
export function deviceHash(accounts: readonly Account[]): string {
  const devices = accounts.flatMap((account) => devicesOf(account).map((device) => `${account.number}:${device}`));
  return `2:${createHash('sha256').update(devices.toSorted().join()).digest('base64').slice(0, 6)}`;
}
