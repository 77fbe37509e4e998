import { isJidNewsletter, isLidUser, isPnUser, jidDecode, normalizeMessageContent } from 'baileys';
import type { proto } from 'baileys';
import type { MessageContext, MessagePreview, MessageReferral, PressedButton } from '#contracts/message-content.ts';
import { contextOf, fieldOf, isStorableId, maxFormLength } from '../../network-values.ts';

const maxMentions = 100;
const maxTitleLength = 300;
const maxDescriptionLength = 500;
const maxPictureBytes = 8 * 1024;
const jpegMark = Buffer.from([0xff, 0xd8, 0xff]);

/** Reads the context of a message besides its content; undefined where it has none. */
export function readContext(message: proto.IMessage, isBroadcast = false): MessageContext | undefined {
  const content = normalizeMessageContent(message) ?? {};
  const info = contextInfoOf(content);
  return contextOf({
    button: readButton(content),
    referral: readReferral(info),
    forwarded: Boolean(info?.isForwarded) || (info?.forwardingScore ?? 0) > 0,
    mentions: readMentions(info),
    view_once: isViewOnce(message, content),
    album: readAlbum(message),
    broadcast: isBroadcast,
    play_as: content.ptvMessage ? 'round' : content.videoMessage?.gifPlayback ? 'gif' : null,
    preview: readPreview(content),
  });
}

export function contextInfoOf(content: proto.IMessage): proto.IContextInfo | undefined {
  const parts: Record<string, unknown> = { ...content };
  for (const part of Object.values(parts)) {
    const info = (part as { contextInfo?: proto.IContextInfo | null } | null)?.contextInfo;
    if (info) return info;
  }
  return undefined;
}

function readButton(content: proto.IMessage): PressedButton | null {
  const { buttonsResponseMessage, templateButtonReplyMessage, listResponseMessage, interactiveResponseMessage } =
    content;
  const form = interactiveResponseMessage?.nativeFlowResponseMessage;
  if (form) return { id: fieldOf(form.name), form: fieldOf(form.paramsJson, maxFormLength) };
  const id =
    buttonsResponseMessage?.selectedButtonId ??
    templateButtonReplyMessage?.selectedId ??
    listResponseMessage?.singleSelectReply?.selectedRowId;
  return id ? { id: fieldOf(id), form: null } : null;
}

/** Reads the advertisement or link that was clicked before the person wrote. */
function readReferral(info: proto.IContextInfo | undefined): MessageReferral | null {
  const ad = info?.externalAdReply;
  if (!ad || !(ad.ctwaClid || ad.sourceId || ad.sourceUrl || ad.showAdAttribution)) return null;
  return {
    ctwa_clid: fieldOf(ad.ctwaClid),
    source_type: fieldOf(ad.sourceType),
    source_id: fieldOf(ad.sourceId),
    source_url: fieldOf(ad.sourceUrl),
    headline: fieldOf(ad.title),
    body: fieldOf(ad.body),
  };
}

/** The preview that the sender's phone made of the link in a text. */
function readPreview({ extendedTextMessage: text }: proto.IMessage): MessagePreview | null {
  const title = fieldOf(text?.title, maxTitleLength);
  const url = fieldOf(text?.matchedText);
  if (title === null || url === null) return null;
  return { url, title, description: fieldOf(text?.description, maxDescriptionLength), picture: readPicture(text) };
}

/** The small picture that comes with the text itself; a larger one is a file, and is left. */
function readPicture(text: proto.Message.IExtendedTextMessage | null | undefined): string | null {
  const bytes = Buffer.from(text?.jpegThumbnail ?? []);
  const isJpeg = bytes.length <= maxPictureBytes && bytes.subarray(0, 3).equals(jpegMark);
  return isJpeg ? `data:image/jpeg;base64,${bytes.toString('base64')}` : null;
}

function readMentions(info: proto.IContextInfo | undefined): string[] {
  return (info?.mentionedJid ?? []).slice(0, maxMentions).flatMap((address) => {
    const user = jidDecode(address)?.user;
    if (user === undefined || !isStorableId(user) || isJidNewsletter(address)) return [];
    if (isPnUser(address)) return [user];
    return isLidUser(address) ? [`lid:${user}`] : [];
  });
}

const isViewOnce = (message: proto.IMessage, content: proto.IMessage): boolean =>
  Boolean(
    message.viewOnceMessage ??
    message.viewOnceMessageV2 ??
    message.viewOnceMessageV2Extension ??
    message.ephemeralMessage?.message?.viewOnceMessageV2,
  ) || [content.imageMessage, content.videoMessage, content.audioMessage].some((part) => part?.viewOnce === true);

/** Files that were sent together name the same message, which brings nothing itself. */
function readAlbum(message: proto.IMessage): string | null {
  const outer = message.messageContextInfo?.messageAssociation;
  const inner = message.associatedChildMessage?.message?.messageContextInfo?.messageAssociation;
  const parent = (outer ?? inner)?.parentMessageKey?.id;
  return parent && isStorableId(parent) ? parent : null;
}
