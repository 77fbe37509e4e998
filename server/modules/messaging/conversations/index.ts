export { attendedChannel, readReceiptsChannel } from './channels.ts';
export { followConversations } from './follow-messages.ts';
export { noteTyping } from './presence/note-typing.ts';
export { claimReadReceipts, removeOldReadReceipts, tellRead } from './presence/read-receipts.ts';
export type { ReadReceipts } from './presence/read-receipts.ts';
export { parseAttended } from './presence/show-typing.ts';
export { removeConversationsBefore } from './remove-conversations-before.ts';
export { conversationRoutes } from './routes.ts';
export { takeOverConversations } from './take-over.ts';
