import type { AssignedTo, ConversationFilter } from '#contracts/conversations.ts';
import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '#web/shared/use-search-change.ts';

export const conversationFilters: readonly ConversationFilter[] = ['unread', 'open', 'snoozed', 'done'];

/** The state of the inbox in the URL; without a status, the open conversations. */
export type InboxSearch = {
  /** `all` where a search looks through all of them. */
  status?: Exclude<ConversationFilter, 'open'> | 'all';
  /** Left out: also what others take care of. */
  assigned?: AssignedTo;
  /** The name of a label. */
  label?: string;
  search?: string;
  conversation?: number;
  /** A number to write to: its conversation is opened. */
  to?: string;
  /** On a narrow screen, whether the contact is shown in place of the thread. */
  contact?: true;
};

const maxSearchLength = 100;

/** A route's `validateSearch`: what it does not know is left out. */
export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  const status = (['unread', 'snoozed', 'done', 'all'] as const).find((known) => known === search['status']);
  const assigned = (['me', 'none'] as const).find((known) => known === search['assigned']);
  const text = textOf(search['search']).slice(0, maxSearchLength);
  const label = textOf(search['label']).slice(0, 50);
  const conversation = Number(search['conversation']);
  const to = textOf(search['to']).replaceAll(/\D/g, '').slice(0, 15);
  return {
    ...(status && { status }),
    ...(assigned && { assigned }),
    ...(label !== '' && { label }),
    ...(text !== '' && { search: text }),
    ...(Number.isSafeInteger(conversation) && conversation > 0 && { conversation }),
    ...(to !== '' && { to }),
    ...(search['contact'] === true && { contact: true as const }),
  };
}

/** A number typed into the address is read as one. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

type Change = { [Key in keyof InboxSearch]?: InboxSearch[Key] | undefined };

type Changing = (change: Change) => void;

/** Reads and changes the state of the inbox. */
export function useInboxSearch(): { search: InboxSearch; change: Changing } & ReturnType<typeof useSearchChange> {
  const search = inboxSearch(useSearch({ strict: false }));
  return { ...useSearchChange(), search };
}
