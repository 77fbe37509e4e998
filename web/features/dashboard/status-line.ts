import type { DayCounts } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';

const purpose = 'What your projects are doing, and a message on its way in a minute';

/** `3 phones are connected. 1,821 messages went out today.`; what this page is for until that is known. */
export function statusLine(phones: readonly PhoneNumber[] | undefined, today: DayCounts | undefined): string {
  if (phones === undefined || phones.length === 0 || today === undefined) return purpose;
  const connected = phones.filter((phone) => phone.is_connected).length;
  return `${connectedText(connected)} ${sentText(today.sent)}`;
}

function connectedText(count: number): string {
  if (count === 0) return 'No phone is connected.';
  return count === 1 ? 'One phone is connected.' : `${count.toLocaleString('en')} phones are connected.`;
}

function sentText(count: number): string {
  if (count === 0) return 'No messages went out today.';
  return count === 1 ? 'One message went out today.' : `${count.toLocaleString('en')} messages went out today.`;
}

const counts = ['No', 'One', 'Two', 'Three', 'Four'];

/** `Two steps left before your first message.` */
export function stepsLeftLine(left: number): string {
  return left === 1
    ? 'One step left: your first message.'
    : `${counts[left] ?? String(left)} steps left before your first message.`;
}
