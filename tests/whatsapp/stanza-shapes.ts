/**
 * The shape of every stanza that a device may send: its attributes and parts, as the official client gives them and
 * other clients that follow it do (tulir/whatsmeow: send.go, retry.go, receipt.go, presence.go, prekeys.go). Anything
 * else is a fault: it tells the service that the client is not its own.
 */
import { child, children, firstChild, parseAddress } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

/** An attribute whose name ends in `?` may be missing, as may a part; `body`: bytes or words in place of parts. */
type Shape = { attrs?: Record<string, RegExp>; parts?: Record<string, Shape>; body?: true };

const any = /^.+$/s;
const id = /^[\w.:-]{1,64}$/;
const seconds = /^\d{10}$/;
const count = /^\d{1,6}$/;
const jid = /^[\w.:-]*@(s\.whatsapp\.net|lid|g\.us|broadcast|newsletter)$|^s\.whatsapp\.net$/;
const person = /^\d+(_\d+)?(:\d+)?@(s\.whatsapp\.net|lid)$/;
const server = /^(@?s\.whatsapp\.net)$/;
const exactly = (...words: string[]) => new RegExp(`^(${words.join('|')})$`);

const bytes: Shape = { body: true };
const empty: Shape = {};
const asking = (type: 'get' | 'set', namespace: string, parts: Record<string, Shape> = {}): Shape => ({
  attrs: { id, to: server, type: exactly(type), xmlns: exactly(namespace) },
  parts,
});

const enc: Shape = {
  attrs: { v: /^2$/, type: exactly('pkmsg', 'msg'), 'mediatype?': /^[a-z_]+$/, 'decrypt-fail?': exactly('hide') },
  body: true,
};
const participants: Shape = { parts: { to: { attrs: { jid: person }, parts: { enc } } } };

const messageParts: Record<string, Shape> = {
  participants,
  'device-identity?': bytes,
  'reporting?': { parts: { reporting_token: { attrs: { v: count }, body: true } } },
  'meta?': { attrs: { polltype: exactly('creation') } },
  'tctoken?': bytes,
  'cstoken?': bytes,
};

const message = (type: string): Shape => ({
  attrs: { id, to: person, type: exactly(type), 'edit?': exactly('1', '7') },
  parts: messageParts,
});

const preKey: Shape = { parts: { id: bytes, value: bytes } };
const signedPreKey: Shape = { parts: { id: bytes, value: bytes, signature: bytes } };

const receipt = (type: string | undefined, parts: Record<string, Shape> = {}): Shape => ({
  attrs: {
    id,
    to: jid,
    ...(type && { type: exactly(type) }),
    'participant?': jid,
    'recipient?': jid,
    't?': seconds,
  },
  parts,
});

const usync: Shape = {
  attrs: {
    sid: id,
    mode: exactly('query'),
    context: exactly('message', 'interactive', 'background'),
    last: any,
    index: /^0$/,
  },
  parts: {
    query: { parts: { 'contact?': empty, 'lid?': empty, 'status?': empty, 'devices?': { attrs: { version: /^2$/ } } } },
    list: { parts: { user: { attrs: { 'jid?': person, 'pn_jid?': person }, parts: { 'contact?': bytes } } } },
  },
};

/** By the kind of stanza: its tag and what tells kinds of it apart. */
const shapes: Readonly<Record<string, Shape>> = {
  'message text': message('text'),
  'message media': message('media'),
  'message poll': message('poll'),
  'message reaction': message('reaction'),
  // To a single device that asked again. Baileys 7.0.0-rc14 encrypts it for that device a second time under
  // `participants`, which the official client does not.
  'message again': {
    attrs: {
      id,
      to: person,
      type: exactly('text', 'media', 'poll', 'reaction'),
      device_fanout: exactly('false'),
      'recipient?': person,
    },
    parts: {
      enc: { ...enc, attrs: { ...enc.attrs, count } },
      'participants?': participants,
      'device-identity?': bytes,
    },
  },
  'message peer': {
    attrs: {
      id,
      to: person,
      type: exactly('text'),
      category: exactly('peer'),
      push_priority: exactly('high', 'high_force'),
    },
    parts: { enc, meta: { attrs: { appdata: exactly('default') } }, 'device-identity?': bytes },
  },

  'receipt ': receipt(undefined),
  'receipt inactive': receipt('inactive'),
  'receipt sender': receipt('sender'),
  'receipt peer_msg': receipt('peer_msg'),
  'receipt hist_sync': receipt('hist_sync'),
  'receipt read': receipt('read', { 'list?': { parts: { item: { attrs: { id } } } } }),
  'receipt read-self': receipt('read-self', { 'list?': { parts: { item: { attrs: { id } } } } }),
  'receipt retry': receipt('retry', {
    retry: { attrs: { count, id, t: seconds, v: /^1$/, 'error?': count } },
    registration: bytes,
    'keys?': {
      parts: { type: bytes, identity: bytes, key: preKey, skey: signedPreKey, 'device-identity': bytes },
    },
  }),
  'receipt server-error': receipt('server-error', {
    encrypt: { parts: { enc_p: bytes, enc_iv: bytes } },
    rmr: { attrs: { jid, from_me: exactly('true', 'false'), 'participant?': jid } },
  }),

  'ack message': {
    attrs: { id: any, to: jid, class: any, 'type?': any, 'from?': person, 'participant?': jid, 'recipient?': jid },
  },
  'ack receipt': { attrs: { id: any, to: jid, class: any, 'type?': any, 'participant?': jid, 'recipient?': jid } },
  'ack notification': { attrs: { id: any, to: jid, class: any, type: any, 'participant?': jid } },
  'ack call': { attrs: { id: any, to: jid, class: any } },

  'presence available': { attrs: { type: any, name: any } },
  'presence unavailable': { attrs: { type: any, name: any } },
  'presence subscribe': { attrs: { type: any, to: person, 'id?': id }, parts: { 'tctoken?': bytes } },
  'chatstate composing': { attrs: { to: person, 'from?': person }, parts: { composing: empty } },
  'chatstate paused': { attrs: { to: person, 'from?': person }, parts: { paused: empty } },
  'call reject': {
    attrs: { id, to: person, from: person },
    parts: { reject: { attrs: { 'call-id': id, 'call-creator': person, count: /^0$/ } } },
  },
  'ib unified_session': { parts: { unified_session: { attrs: { id } } } },
  'ib offline_batch': { parts: { offline_batch: { attrs: { count } } } },

  'iq result ': { attrs: { id, to: server, type: any } },
  'iq result pair-device-sign': {
    attrs: { id, to: server, type: any },
    parts: { 'pair-device-sign': { parts: { 'device-identity': { attrs: { 'key-index': count }, body: true } } } },
  },
  'iq get w:p ping': asking('get', 'w:p', { ping: empty }),
  'iq set passive active': asking('set', 'passive', { active: empty }),
  'iq get encrypt count': asking('get', 'encrypt', { count: empty }),
  'iq get encrypt digest': asking('get', 'encrypt', { digest: empty }),
  'iq get encrypt key': asking('get', 'encrypt', {
    key: { parts: { user: { attrs: { jid: person, 'reason?': exactly('identity') } } } },
  }),
  'iq set encrypt registration': asking('set', 'encrypt', {
    registration: bytes,
    type: bytes,
    identity: bytes,
    list: { parts: { key: preKey } },
    skey: signedPreKey,
  }),
  'iq set encrypt rotate': asking('set', 'encrypt', { rotate: { parts: { skey: signedPreKey } } }),
  'iq get usync usync': asking('get', 'usync', { usync }),
  'iq get abt props': asking('get', 'abt', { props: { attrs: { protocol: /^1$/, 'hash?': any } } }),
  'iq get privacy privacy': asking('get', 'privacy', { privacy: empty }),
  'iq set privacy tokens': asking('set', 'privacy', {
    tokens: { parts: { token: { attrs: { jid: person, t: seconds, type: exactly('trusted_contact') } } } },
  }),
  'iq get blocklist ': asking('get', 'blocklist'),
  'iq set blocklist item': asking('set', 'blocklist', {
    item: { attrs: { jid: /@lid$/, action: exactly('block', 'unblock'), 'pn_jid?': /@s\.whatsapp\.net$/ } },
  }),
  'iq get w:profile:picture picture': {
    attrs: { id, to: server, type: any, xmlns: any, target: person },
    parts: {
      picture: { attrs: { type: exactly('preview', 'image'), query: exactly('url') } },
      'tctoken?': bytes,
    },
  },
  'iq set w:profile:picture picture': asking('set', 'w:profile:picture', {
    picture: { attrs: { type: exactly('image') }, body: true },
  }),
  'iq set w:profile:picture ': asking('set', 'w:profile:picture'),
  'iq set status status': asking('set', 'status', { status: bytes }),
  'iq set w:m media_conn': asking('set', 'w:m', { media_conn: empty }),
  'iq get w:mex query': asking('get', 'w:mex', { query: { attrs: { query_id: /^\d{15,20}$/ }, body: true } }),
  'iq set w:sync:app:state sync': asking('set', 'w:sync:app:state', {
    sync: {
      parts: {
        collection: {
          attrs: {
            name: exactly('critical_block', 'critical_unblock_low', 'regular_high', 'regular_low', 'regular'),
            version: count,
            return_snapshot: exactly('true', 'false'),
          },
          parts: { 'patch?': bytes },
        },
      },
    },
  }),
  'iq set urn:xmpp:whatsapp:dirty clean': asking('set', 'urn:xmpp:whatsapp:dirty', {
    clean: { attrs: { type: exactly('account_sync', 'groups'), 'timestamp?': seconds } },
  }),
  'iq set md remove-companion-device': asking('set', 'md', {
    'remove-companion-device': { attrs: { jid: person, reason: exactly('user_initiated') } },
  }),
  'iq set md link_code_companion_reg companion_hello': asking('set', 'md', {
    link_code_companion_reg: {
      attrs: { jid: person, stage: any, should_show_push_notification: exactly('true') },
      parts: {
        link_code_pairing_wrapped_companion_ephemeral_pub: bytes,
        companion_server_auth_key_pub: bytes,
        companion_platform_id: bytes,
        companion_platform_display: bytes,
        link_code_pairing_nonce: bytes,
      },
    },
  }),
  'iq set md link_code_companion_reg companion_finish': asking('set', 'md', {
    link_code_companion_reg: {
      attrs: { jid: person, stage: any },
      parts: {
        link_code_pairing_wrapped_key_bundle: bytes,
        companion_identity_public: bytes,
        link_code_pairing_ref: bytes,
      },
    },
  }),
};

/** The fault in a stanza's shape; undefined where it is right. */
export function strangeShape(stanza: BinaryNode): string | undefined {
  const kind = kindOf(stanza);
  const shape = shapes[kind];
  if (!shape) return `the official client sends no ${kind}`;
  const fault = faultIn(stanza, shape) ?? (stanza.tag === 'message' ? faultOfMessage(stanza) : undefined);
  return fault === undefined ? undefined : `${kind}: ${fault}`;
}

function kindOf(stanza: BinaryNode): string {
  const { tag, attrs } = stanza;
  const part = firstChild(stanza);
  switch (tag) {
    case 'message':
      return `message ${attrs.category === 'peer' ? 'peer' : attrs.device_fanout === 'false' ? 'again' : attrs.type}`;
    case 'receipt':
    case 'presence':
      return `${tag} ${attrs.type ?? ''}`;
    case 'ack':
      return `ack ${attrs.class}`;
    case 'iq': {
      const stage = part?.attrs.stage === undefined ? '' : ` ${part.attrs.stage}`;
      return attrs.xmlns === undefined
        ? `iq ${attrs.type} ${part?.tag ?? ''}`
        : `iq ${attrs.type} ${attrs.xmlns} ${part?.tag ?? ''}${stage}`;
    }
    default:
      return `${tag} ${part?.tag ?? ''}`;
  }
}

const isNeeded = (name: string) => !name.endsWith('?');

function faultIn(stanza: BinaryNode, { attrs = {}, parts = {}, body }: Shape): string | undefined {
  const { tag, content } = stanza;
  for (const [name, value] of Object.entries(stanza.attrs)) {
    const allowed = attrs[name] ?? attrs[`${name}?`];
    if (!allowed) return `<${tag}> has ${name}=${value}`;
    if (!allowed.test(value)) return `<${tag}> has ${name}=${value}, not ${allowed.source}`;
  }
  const missing = Object.keys(attrs).find((name) => isNeeded(name) && stanza.attrs[name] === undefined);
  if (missing) return `<${tag}> has no ${missing}`;
  const has = Array.isArray(content) ? content : [];
  if (body && !(content instanceof Uint8Array || typeof content === 'string')) return `<${tag}> has no body`;
  if (!body && content !== undefined && !Array.isArray(content)) return `<${tag}> has a body`;
  const absent = Object.keys(parts).find((name) => isNeeded(name) && !has.some((part) => part.tag === name));
  if (absent) return `<${tag}> has no <${absent}>`;
  for (const part of has) {
    const shape = parts[part.tag] ?? parts[`${part.tag}?`];
    if (!shape) return `<${tag}> has a part <${part.tag}>`;
    const fault = faultIn(part, shape);
    if (fault) return fault;
  }
  return undefined;
}

/** The rules between the parts of a message. */
function faultOfMessage(sent: BinaryNode): string | undefined {
  const recipients = children(child(sent, 'participants'), 'to');
  const copies = [child(sent, 'enc'), ...recipients.map((to) => child(to, 'enc'))].flatMap((copy) => copy ?? []);
  const isFirst = copies.some(({ attrs }) => attrs.type === 'pkmsg');
  if (isFirst !== (child(sent, 'device-identity') !== undefined))
    return isFirst ? 'begins a session without the identity of its device' : 'has an identity that nobody needs';
  if (child(sent, 'tctoken') && child(sent, 'cstoken')) return 'has two tokens';
  const { domain } = parseAddress(sent.attrs.to ?? '');
  const other = recipients.find(({ attrs }) => parseAddress(attrs.jid ?? '').domain !== domain);
  if (other) return `goes to ${sent.attrs.to} and to ${other.attrs.jid}`;
  if (sent.attrs.device_fanout === 'false' || sent.attrs.category === 'peer') return undefined;
  const isHidden = sent.attrs.edit !== undefined || sent.attrs.type === 'reaction';
  for (const { attrs } of copies) {
    if ((attrs['decrypt-fail'] === 'hide') !== isHidden) return `decrypt-fail=${attrs['decrypt-fail']}`;
    if ((attrs.mediatype !== undefined) !== (sent.attrs.type === 'media')) return `mediatype=${attrs.mediatype}`;
  }
  return undefined;
}
