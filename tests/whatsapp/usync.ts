/** Answers about people: who is on WhatsApp, under which LID, with which devices. */
import type { Account, Directory } from './account.ts';
import type { Faults } from './faults.ts';
import { bytesOf, child, children, node, parseAddress, server } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

export function answerUsync(asked: BinaryNode, directory: Directory, faults: Faults): BinaryNode {
  const protocols = protocolsOf(asked);
  const users = children(child(asked, 'list'), 'user').flatMap((user) => {
    const dialled = bytesOf(child(user, 'contact'));
    const account = accountAsked(user, dialled, directory);
    if (!account) return [];
    const jid = user.attrs.jid ?? `${account.number}@${server}`;
    return [
      node(
        'user',
        { jid },
        protocols.flatMap((protocol) => answerFor(protocol, account, dialled, faults)),
      ),
    ];
  });
  const { sid = '', mode = '', context = '' } = asked.attrs;
  return node('usync', { sid, mode, context, last: 'true', index: '0' }, [
    node(
      'result',
      {},
      protocols.map((protocol) => node(protocol)),
    ),
    node('list', {}, users),
  ]);
}

/** The protocols asked for each person. */
export function protocolsOf(asked: BinaryNode): string[] {
  const content = child(asked, 'query')?.content;
  return Array.isArray(content) ? content.map((protocol) => protocol.tag) : [];
}

function accountAsked(user: BinaryNode, dialled: Buffer, directory: Directory): Account | undefined {
  if (dialled.length > 0) {
    const account = directory.account(dialled.toString().replace(/\D/g, ''));
    return account.behaviour.knownAs ? directory.account(account.behaviour.knownAs) : account;
  }
  const address = parseAddress(user.attrs.jid ?? '');
  return directory.find(address.user, address.domain);
}

function answerFor(protocol: string, account: Account, dialled: Buffer, faults: Faults): BinaryNode[] {
  const exists = account.behaviour.onWhatsApp;
  switch (protocol) {
    case 'contact':
      return [node('contact', { type: exists ? 'in' : 'out' }, dialled.length > 0 ? dialled : undefined)];
    case 'lid':
      return exists && faults.tellsLids ? [node('lid', { val: `${account.lid}@lid` })] : [];
    case 'devices':
      return [node('devices', {}, [node('device-list', {}, exists ? deviceNodes(account) : [])])];
    case 'status':
      return [node('status', account.about === undefined ? { code: '401' } : { t: '1700000000' }, account.about)];
    default:
      return [node(protocol)];
  }
}

/** The number of the device whose keys are broken. */
export const brokenDevice = 33;

/** The handset is device 0; linked devices carry the index of the key that vouches for them. */
function deviceNodes(account: Account): BinaryNode[] {
  const linked = [...account.devices.values()].filter((device) => !device.isRemoved);
  return [
    node('device', { id: '0' }),
    ...(account.behaviour.hasBrokenDevice ? [node('device', { id: `${brokenDevice}`, 'key-index': '1' })] : []),
    ...[...account.companions.keys()].map((number) => node('device', { id: `${number}`, 'key-index': `${number}` })),
    ...linked.map(({ number }) => node('device', { id: `${number}`, 'key-index': `${number}` })),
  ];
}
