import {
  Ban,
  CircleQuestionMark,
  ContactRound,
  FileText,
  HandCoins,
  Hourglass,
  Image,
  LayoutTemplate,
  ListChecks,
  MapPin,
  Mic,
  Music,
  Phone,
  ShoppingCart,
  Sticker,
  Video,
  type LucideIcon,
} from 'lucide-react';
import type { Message } from '#contracts/messages.ts';
import { kindWord } from './message-summary.ts';

const icons: Readonly<Partial<Record<Message['type'], LucideIcon>>> = {
  image: Image,
  video: Video,
  audio: Music,
  voice: Mic,
  document: FileText,
  sticker: Sticker,
  location: MapPin,
  contact: ContactRound,
  poll: ListChecks,
  template: LayoutTemplate,
  order: ShoppingCart,
  payment: HandCoins,
  call: Phone,
  waiting: Hourglass,
  unsupported: CircleQuestionMark,
};

/** The icon of a message's content, before its summary; none for a text. */
export function KindIcon({ message: { type, deleted_at: deletedAt } }: { message: Message }) {
  const Icon = deletedAt === null ? icons[type] : Ban;
  if (Icon === undefined) return null;
  return (
    <>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">{deletedAt === null ? `${kindWord(type)}:` : ''}</span>
    </>
  );
}
