/** The server's answers to requests (`iq`), by namespace. */
import { bigEndian } from './crypto.ts';
import type { Account, Directory } from './account.ts';
import type { Connection } from './connection.ts';
import type { Faults } from './faults.ts';
import {
  bytesOf,
  child,
  children,
  firstChild,
  newId,
  node,
  nowSeconds,
  parseAddress,
  server,
  unsignedOf,
} from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import type { Pairing } from './pairing.ts';
import { answerUsync, brokenDevice, protocolsOf } from './usync.ts';

export type IqContext = {
  directory: Directory;
  pairing: Pairing;
  faults: Faults;
  /** The device says it is ready for what waited. */
  onActive(connection: Connection): void;
  onUnknown(what: string): void;
  /** The device gave a contact a trusted-contact token. */
  onTokenIssued(): void;
  /** Where the small picture of a number lies. */
  photoUrl(number: string): string;
  /** Where media goes and comes from. */
  mediaConnection(): BinaryNode;
  /** Called for each query which of so many numbers are on WhatsApp. */
  onLookUp(numbers: number): void;
  /** A question was answered with an error. */
  onRefused(): void;
};

/** The content of the answer; `empty` answers without content, `silence` not at all, an error with its code. */
type Answer = BinaryNode[] | 'empty' | 'silence' | { error: number };

export function answerIq(context: IqContext, connection: Connection, asked: BinaryNode): void {
  const answer = answerTo(context, connection, asked);
  if (answer === 'silence') return;
  const id = asked.attrs.id ?? newId('A');
  if (typeof answer === 'object' && 'error' in answer) {
    const text = answer.error === 429 ? 'rate-overlimit' : 'refused';
    context.onRefused();
    const error = node('error', { code: `${answer.error}`, text });
    return connection.send(node('iq', { from: server, type: 'error', id }, [error]));
  }
  const attrs = { from: server, type: 'result', id };
  connection.send(node('iq', attrs, answer === 'empty' ? undefined : answer));
  if (asked.attrs.xmlns === 'passive') context.onActive(connection);
  if (firstChild(asked)?.tag === 'remove-companion-device') removeDevice(connection);
}

function answerTo(context: IqContext, connection: Connection, asked: BinaryNode): Answer {
  const subject = firstChild(asked);
  switch (asked.attrs.xmlns) {
    case 'w:p':
      return context.faults.answersPings ? 'empty' : 'silence';
    case 'encrypt':
      return answerKeys(context, connection, asked);
    case 'usync':
      return subject ? answerQuestion(context, subject) : 'empty';
    case 'md':
      return answerPairing(context, connection, subject);
    case 'privacy':
      if (subject?.tag === 'tokens') {
        context.onTokenIssued();
        return tokensOf(context.directory, connection.login?.account, subject);
      }
      return subject?.tag === 'privacy'
        ? [privacySettings(connection.login?.account.sendsReadReceipts ?? true)]
        : 'empty';
    case 'w:m':
      return subject?.tag === 'media_conn' ? [context.mediaConnection()] : 'empty';
    case 'abt':
      return [node('props', { hash: 'h1', refresh: '86400' })];
    case 'w:mex':
      return answerMex(connection, subject);
    case 'blocklist':
      return answerBlocklist(context.directory, connection, asked, subject);
    case 'w:profile:picture':
      return asked.attrs.type === 'set' ? changePhoto(connection, asked, subject) : pictureOf(context, asked, subject);
    case 'w:sync:app:state':
      return answerAppState(connection, subject);
    case 'status':
      return changeAbout(connection, asked, subject);
    case 'passive':
    case 'urn:xmpp:whatsapp:dirty':
      return 'empty';
    default:
      context.onUnknown(`iq ${asked.attrs.xmlns ?? ''} ${subject?.tag ?? ''}`);
      return 'empty';
  }
}

function answerQuestion(context: IqContext, subject: BinaryNode): Answer {
  const protocols = protocolsOf(subject);
  if (protocols.includes('contact')) context.onLookUp(children(child(subject, 'list'), 'user').length);
  const { lookUpError, devicesError } = context.faults;
  if (protocols.includes('contact') && lookUpError !== undefined) return { error: lookUpError };
  if (protocols.includes('devices') && devicesError !== undefined) return { error: devicesError };
  return [answerUsync(subject, context.directory, context.faults)];
}

const timeLockQuery = '23983697327930364';
const capQuery = '24503548349331633';

/** Questions in JSON, by the id of a stored query. */
function answerMex(connection: Connection, query: BinaryNode | undefined): Answer {
  const account = connection.login?.account;
  if (account && query?.attrs.query_id === timeLockQuery) account.timeLockAsks += 1;
  const secondsOf = (at: Date | undefined) => `${Math.floor((at?.getTime() ?? 0) / 1000)}`;
  const answers: Record<string, object> = {
    [timeLockQuery]: {
      xwa2_fetch_account_reachout_timelock: {
        is_active: account?.newChatsLockedUntil !== undefined,
        time_enforcement_ends: secondsOf(account?.newChatsLockedUntil),
        enforcement_type: account?.newChatsLockedUntil ? 'RESTRICT_ALL_COMPANIONS' : 'DEFAULT',
      },
    },
    [capQuery]: {
      xwa2_message_capping_info: {
        total_quota: account?.newChatCap?.total ?? -1,
        used_quota: account?.newChatCap?.used ?? 0,
        capping_status: account?.newChatCap?.status ?? 'NONE',
        ...(account?.newChatCap?.endsAt && { cycle_end_timestamp: secondsOf(account.newChatCap.endsAt) }),
      },
    },
  };
  const data = answers[query?.attrs.query_id ?? ''];
  if (!data) return { error: 400 };
  return [node('result', {}, Buffer.from(JSON.stringify({ data })))];
}

/** Keys: how many pre-keys are left, uploads of new ones, and other people's bundles. */
function answerKeys(context: IqContext, connection: Connection, asked: BinaryNode): Answer {
  const device = connection.login?.device;
  const subject = firstChild(asked);
  if (!device) return 'empty';
  if (subject?.tag === 'count') return [node('count', { value: `${device.preKeys.length}` })];
  if (subject?.tag === 'digest') {
    return [node('digest', {}, [node('registration', {}, bigEndian(device.keys.registrationId, 4))])];
  }
  if (subject?.tag === 'key' && context.faults.keysError !== undefined) return { error: context.faults.keysError };
  if (subject?.tag === 'key')
    return [
      node(
        'list',
        {},
        children(subject, 'user').map((user) => bundle(context, user)),
      ),
    ];
  if (asked.attrs.type !== 'set' || subject?.tag === 'rotate') return 'empty';
  const signed = child(asked, 'skey');
  device.keys = {
    registrationId: unsignedOf(child(asked, 'registration')),
    identity: bytesOf(child(asked, 'identity')),
    signedPreKey: {
      id: unsignedOf(child(signed, 'id')),
      publicKey: bytesOf(child(signed, 'value')),
      signature: bytesOf(child(signed, 'signature')),
    },
  };
  const uploaded = children(child(asked, 'list'), 'key').map((key) => ({
    id: unsignedOf(child(key, 'id')),
    publicKey: bytesOf(child(key, 'value')),
  }));
  device.preKeys.push(...uploaded);
  device.isToldOfPreKeys = false;
  return 'empty';
}

function bundle(context: IqContext, user: BinaryNode): BinaryNode {
  const jid = user.attrs.jid ?? '';
  const address = parseAddress(jid);
  const account = context.directory.find(address.user, address.domain);
  if (address.device === brokenDevice) return node('user', { jid }, [node('error', { code: '406' })]);
  const party = address.device === 0 ? account?.party : account?.companions.get(address.device)?.party;
  const keys = account?.behaviour.onWhatsApp
    ? (party ?? account.party).publishKeys()
    : [node('error', { code: '404', text: 'item-not-found' })];
  return node('user', { jid, t: `${nowSeconds()}` }, keys);
}

function answerPairing(context: IqContext, connection: Connection, subject: BinaryNode | undefined): Answer {
  if (subject?.tag !== 'link_code_companion_reg') return 'empty';
  if (subject.attrs.stage === 'companion_hello') {
    const ref = context.pairing.announceCode(connection, subject);
    return [node('link_code_companion_reg', {}, [node('link_code_pairing_ref', {}, ref)])];
  }
  if (subject.attrs.stage === 'companion_finish') context.pairing.finishCode(subject);
  return 'empty';
}

function removeDevice(connection: Connection): void {
  if (!connection.login) return;
  connection.login.device.isRemoved = true;
  connection.send(node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })]));
  connection.close();
}

/** As the service: a block names the LID and, beside it, the number, unless its owner hides that. */
function answerBlocklist(
  directory: Directory,
  { login }: Connection,
  asked: BinaryNode,
  item: BinaryNode | undefined,
): Answer {
  const blocked = login?.account.blocked ?? new Set<string>();
  if (asked.attrs.type === 'get')
    return [
      node(
        'list',
        { dhash: '1' },
        [...blocked].map((jid) => node('item', { jid })),
      ),
    ];
  const { jid = '', action, pn_jid: number } = item?.attrs ?? {};
  if (item?.tag !== 'item' || !jid.endsWith('@lid')) return { error: 400 };
  const isHidden = directory.find(parseAddress(jid).user, 'lid')?.behaviour.hidesNumber === true;
  if (action === 'block' && (isHidden || number?.endsWith(`@${server}`))) blocked.add(jid);
  else if (action === 'unblock') blocked.delete(jid);
  else return { error: 400 };
  return 'empty';
}

/** Where the small picture of somebody lies. */
function pictureOf({ directory, photoUrl }: IqContext, asked: BinaryNode, picture: BinaryNode | undefined): Answer {
  const { user, domain } = parseAddress(asked.attrs.target ?? '');
  if (picture?.tag !== 'picture' || picture.attrs.query !== 'url' || picture.attrs.type !== 'preview')
    return { error: 400 };
  const account = directory.find(user, domain);
  if (!account?.photo) return { error: 404 };
  return [node('picture', { id: '1', type: 'preview', url: photoUrl(account.number) })];
}

/** Answers a given token with the other's token, where there is one. */
function tokensOf(directory: Directory, owner: Account | undefined, subject: BinaryNode): Answer {
  const known = children(subject, 'token').flatMap(({ attrs }) => {
    const address = parseAddress(attrs.jid ?? '');
    const token = owner && directory.find(address.user, address.domain)?.tokensGiven.get(owner.number);
    return token ? [node('token', { jid: attrs.jid ?? '', t: `${nowSeconds()}`, type: 'trusted_contact' }, token)] : [];
  });
  return known.length === 0 ? 'empty' : [node('tokens', {}, known)];
}

function privacySettings(sendsReadReceipts: boolean): BinaryNode {
  const categories = ['readreceipts', 'last', 'online', 'profile', 'status', 'groupadd', 'calladd'];
  return node(
    'privacy',
    {},
    categories.map((name) =>
      node('category', { name, value: name === 'readreceipts' && !sendsReadReceipts ? 'none' : 'all' }),
    ),
  );
}

function answerAppState({ login }: Connection, sync: BinaryNode | undefined): Answer {
  if (!login) return { error: 401 };
  const { account } = login;
  const answer = account.appState.answer(sync, ({ index, value }) => {
    const name = value.pushNameSetting?.name;
    if (index[0] === 'setting_pushName' && name) account.name = name;
  });
  return [answer];
}

const longestAbout = 139;

function changeAbout({ login }: Connection, asked: BinaryNode, status: BinaryNode | undefined): Answer {
  const about = bytesOf(status).toString();
  if (!login || asked.attrs.type !== 'set' || status?.tag !== 'status' || about.length > longestAbout)
    return { error: 400 };
  login.account.about = about === '' ? undefined : about;
  return 'empty';
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const maxPhotoBytes = 500 * 1024;

/** The account's own alone; without a picture it is taken away. */
function changePhoto({ login }: Connection, asked: BinaryNode, picture: BinaryNode | undefined): Answer {
  if (!login || asked.attrs.target !== undefined) return { error: 400 };
  if (!picture) {
    login.account.photo = undefined;
    return 'empty';
  }
  const photo = bytesOf(picture);
  const isPicture = photo.subarray(0, 3).equals(jpegStart) && photo.length <= maxPhotoBytes;
  if (picture.tag !== 'picture' || picture.attrs.type !== 'image' || !isPicture) return { error: 406 };
  login.account.photo = photo;
  return [node('picture', { id: '2' })];
}
