import type { Conversation } from '#contracts/conversations.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';

/** The name, else the number; a person who hides it has neither. */
export function useContactName({ name, phone }: Pick<Conversation, 'name' | 'phone'>): string {
  const format = usePhoneFormat();
  return name ?? (phone === null ? 'Hidden number' : format(phone));
}
