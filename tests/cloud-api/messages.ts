import { randomBytes } from 'node:crypto';
import { checkParameters, GraphError } from './account.ts';
import type { BusinessAccount, StandInNumber, StandInTemplate } from './account.ts';
import type { MediaShelf } from './media.ts';

/** A message as it was sent; `to` is the user's number, digits, or their user id. */
export type SentToUser = {
  id: string;
  phoneNumberId: string;
  to: string;
  type: string;
  body: Record<string, unknown>;
  callbackData: string | undefined;
  /** The id of its template, where it is one. */
  templateId: string | undefined;
  /** The code with which it fails after it was accepted. */
  failsWith: number | undefined;
  category: string;
};

type Body = Record<string, unknown> & {
  messaging_product?: unknown;
  to?: unknown;
  recipient?: unknown;
  type?: unknown;
  status?: unknown;
  biz_opaque_callback_data?: unknown;
};

const kinds = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
];

const newMessageId = () => `wamid.${randomBytes(24).toString('base64url')}`;

type Judging = {
  body: Body;
  media: MediaShelf;
  fateOf(to: string): number | undefined;
  refusalOf(to: string): number | undefined;
};

/** Judges a `POST /{phone_number_id}/messages` as Meta does: refused here, or accepted, which promises nothing. */
export function acceptMessage(
  account: BusinessAccount,
  number: StandInNumber,
  { body, media, fateOf, refusalOf }: Judging,
): SentToUser {
  if (body.messaging_product !== 'whatsapp')
    throw new GraphError(100, '(#100) The parameter messaging_product is required.');
  if (!number.isRegistered) throw new GraphError(133010, '(#133010) Account not registered');
  const type = typeof body.type === 'string' ? body.type : 'text';
  if (!kinds.includes(type)) throw new GraphError(100, '(#100) Param type must be one of the known types');
  const to = recipientOf(number, body);
  const refusal = refusalOf(to);
  if (refusal !== undefined) throw new GraphError(refusal, `(#${refusal}) Refused`, `Details of ${refusal}`);
  const content = body[type];
  if (content === undefined) throw new GraphError(131008, `(#131008) Required parameter is missing: ${type}`);
  checkContent(type, content, media, number);
  if (account.allowList && !account.allowList.has(to)) {
    throw new GraphError(131030, '(#131030) Recipient phone number not in allowed list');
  }
  const template =
    type === 'template' ? checkTemplate(account, content, (id, kind) => media.require(id, number.id, kind)) : undefined;
  if (template?.category === 'AUTHENTICATION' && isUserId(to))
    throw new GraphError(131062, '(#131062) Business-scoped user ids are not supported for this message');
  account.countSend(number, to);
  const callbackData = body.biz_opaque_callback_data;
  if (callbackData !== undefined && (typeof callbackData !== 'string' || callbackData.length > 256)) {
    throw new GraphError(131009, '(#131009) Parameter value is not valid', 'biz_opaque_callback_data');
  }
  return {
    id: newMessageId(),
    phoneNumberId: number.id,
    to,
    type,
    body,
    callbackData,
    templateId: template?.id,
    failsWith: laterFailure(account, number, { to, template, fate: fateOf(to) }),
    category: template?.category.toLowerCase() ?? 'service',
  };
}

const userId = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;
export const isUserId = (to: string) => userId.test(to);

/**
 * A number goes before a user id. Without a plus it is read in the business's own country, as Meta may do: another
 * recipient than was meant.
 */
function recipientOf(number: StandInNumber, { to, recipient }: Body): string {
  if (to === undefined && typeof recipient === 'string') {
    if (!isUserId(recipient)) throw new GraphError(131009, '(#131009) Parameter value is not valid', 'recipient');
    return recipient;
  }
  if (typeof to !== 'string' || !/^\+?\d{5,16}$/.test(to)) {
    throw new GraphError(131009, '(#131009) Parameter value is not valid', 'to');
  }
  return to.startsWith('+') ? to.slice(1) : `${number.callingCode}${to}`;
}

function checkContent(type: string, content: unknown, media: MediaShelf, number: StandInNumber): void {
  const fields = content as Record<string, unknown>;
  if (type === 'text') {
    const { body } = fields;
    if (typeof body !== 'string' || body === '')
      throw new GraphError(131008, '(#131008) Required parameter is missing: body');
    if (body.length > 4096) throw new GraphError(100, '(#100) Param text[body] must be at most 4096 characters long.');
  }
  if (['image', 'video', 'audio', 'document', 'sticker'].includes(type)) {
    if (typeof fields['caption'] === 'string' && fields['caption'].length > 1024) {
      throw new GraphError(100, '(#100) Param caption must be at most 1024 characters long.');
    }
    if (typeof fields['id'] === 'string') media.require(fields['id'], number.id, type);
    else if (typeof fields['link'] !== 'string')
      throw new GraphError(131008, '(#131008) Required parameter is missing: id');
  }
}

function checkTemplate(
  account: BusinessAccount,
  content: unknown,
  requireMedia: (id: string, kind: string) => void,
): StandInTemplate {
  const { name, language, components } = content as {
    name?: string;
    language?: { code?: string };
    components?: Parameters<typeof checkParameters>[1];
  };
  const template = account.findTemplate(name ?? '', language?.code ?? '');
  checkParameters(template, components ?? [], requireMedia);
  return template;
}

/** Failures that Meta finds only after it has answered 200. */
function laterFailure(
  account: BusinessAccount,
  number: StandInNumber,
  { to, template, fate }: { to: string; template: StandInTemplate | undefined; fate: number | undefined },
): number | undefined {
  if (fate !== undefined) return fate;
  if (template?.category === 'MARKETING' && account.stopped.has(to)) return 131050;
  if (!template && !account.isWindowOpen(number, to)) return 131047;
  return undefined;
}
