import { z } from 'zod';
import type { EarlierMessage, IncomingContent, IncomingMessage } from '../port.ts';
import { fieldsOf, stringOf } from './loose-values.ts';

/** A part of the chats, how far they have come in percent; without chats its owner shares none. */
export const PieceOfHistory = z.object({
  metadata: z
    .object({ progress: z.coerce.number().min(0).max(100).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  threads: z.array(z.unknown()),
});

const statuses: Readonly<Record<string, EarlierMessage['status']>> = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  PLAYED: 'read',
};

/** Changes of messages come as these read now. */
const changes: ReadonlySet<IncomingContent['type']> = new Set(['reaction', 'edit', 'revocation', 'vote', 'sealed']);

/** A message of before; none for what was not sent, and for a change of another one. */
export function earlierOf(message: IncomingMessage, raw: unknown): EarlierMessage[] {
  const said = stringOf(fieldsOf(fieldsOf(raw)['history_context'])['status']).toUpperCase();
  const isUnsent = message.isFromHandset && (said === 'ERROR' || said === 'PENDING');
  if (isUnsent || changes.has(message.content.type)) return [];
  return [{ ...message, status: statuses[said] ?? 'delivered' }];
}
