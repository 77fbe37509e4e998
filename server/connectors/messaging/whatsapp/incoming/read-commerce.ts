import type { proto } from 'baileys';
import type { MessageOrder, MessagePayment } from '#contracts/message-content.ts';
import { cleanText, currencyOf, decimalOf, maxNameLength } from '../../network-values.ts';
import type { IncomingContent } from '../../port.ts';

const name = (text: string | null | undefined): string | null => cleanText(text ?? '', maxNameLength) || null;

/** An order out of a catalogue, or news of money. */
export function readCommerce(content: proto.IMessage): IncomingContent | undefined {
  if (content.orderMessage) return readOrder(content.orderMessage);
  const { requestPaymentMessage: request, sendPaymentMessage: sent } = content;
  if (request) {
    const money = request.amount;
    return payment(noteOf(request.noteMessage), {
      kind: 'request',
      amount: money ? decimalOf(money.value, decimalsOf(money.offset)) : decimalOf(request.amount1000, 3),
      currency: currencyOf(money?.currencyCode ?? request.currencyCodeIso4217),
    });
  }
  if (sent) return payment(noteOf(sent.noteMessage), { kind: 'sent', amount: null, currency: null });
  const kinds = {
    declinePaymentRequestMessage: 'declined',
    cancelPaymentRequestMessage: 'cancelled',
    paymentInviteMessage: 'invitation',
  } as const;
  for (const [part, kind] of Object.entries(kinds)) {
    if (content[part as keyof typeof kinds]) return payment('', { kind, amount: null, currency: null });
  }
  return undefined;
}

function readOrder(order: proto.Message.IOrderMessage): IncomingContent {
  const fields: MessageOrder = {
    id: name(order.orderId),
    title: name(order.orderTitle),
    item_count: Number.isSafeInteger(order.itemCount) && order.itemCount! >= 0 ? order.itemCount! : null,
    amount: decimalOf(order.totalAmount1000, 3),
    currency: currencyOf(order.totalCurrencyCode),
  };
  return { type: 'order', text: cleanText(order.message ?? ''), order: fields };
}

const payment = (text: string, fields: MessagePayment): IncomingContent => ({ type: 'payment', text, payment: fields });

const noteOf = (note: proto.IMessage | null | undefined): string =>
  cleanText(note?.extendedTextMessage?.text ?? note?.conversation ?? '');

/** `offset` is the power of ten that the value is divided by: 1000 is three decimals. */
const decimalsOf = (offset: number | null | undefined): number => Math.round(Math.log10(offset || 1));
