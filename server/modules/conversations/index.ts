export { followConversations } from './follow-messages.ts';
export { removeConversationsBefore } from './remove-conversations-before.ts';
export { conversationRoutes } from './routes.ts';
export { takeOverConversations } from './take-over.ts';
