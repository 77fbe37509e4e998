import { listConversationChanges as changesContract } from '#contracts/conversation-changes.ts';
import * as labels from '#contracts/conversation-labels.ts';
import * as notes from '#contracts/conversation-notes.ts';
import { showPresence as presenceContract } from '#contracts/conversation-presence.ts';
import * as times from '#contracts/conversation-times.ts';
import * as contract from '#contracts/conversations.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listAssignees } from './assignees.ts';
import { countConversations } from './count-conversations.ts';
import { getConversation } from './get-conversation.ts';
import { createLabel, deleteLabel, listLabels, updateLabel } from './labels/labels.ts';
import { listConversationChanges } from './list-changes.ts';
import { listConversations } from './list-conversations.ts';
import { listConversationMessages } from './list-messages.ts';
import { showTyping } from './presence/show-typing.ts';
import { createNote, deleteNote, listNotes, updateNote } from './notes/notes.ts';
import { showPresence } from './presence/show-presence.ts';
import { exportConversationTimes, getConversationTimes } from './times/conversation-times.ts';
import { openConversation } from './open-conversation.ts';
import { replyToConversation } from './reply.ts';
import { updateConversations } from './update-conversations.ts';
import { updateConversation } from './update-conversation.ts';

export const conversationRoutes: Route[] = [
  route(contract.listConversations, (ctx, { query }) => listConversations(ctx, query)),
  route(contract.countConversations, (ctx, { query }) => countConversations(ctx, query)),
  route(contract.listAssignees, (ctx, { query }) => listAssignees(ctx, query)),
  route(contract.updateConversations, (ctx, { body }) => updateConversations(ctx, body)),
  route(labels.listLabels, (ctx, { query }) => listLabels(ctx, query)),
  route(labels.createLabel, (ctx, { body }) => createLabel(ctx, body)),
  route(labels.updateLabel, (ctx, { params, body }) => updateLabel(ctx, { ...params, ...body })),
  route(labels.deleteLabel, (ctx, { params }) => deleteLabel(ctx, params)),
  route(times.getConversationTimes, (ctx, { query }) => getConversationTimes(ctx, query)),
  route(times.exportConversationTimes, (ctx, { query }) => exportConversationTimes(ctx, query)),
  route(notes.listNotes, (ctx, { params, query }) => listNotes(ctx, { ...params, ...query })),
  route(notes.createNote, (ctx, { params, body }) => createNote(ctx, { ...params, ...body })),
  route(notes.updateNote, (ctx, { params, body }) => updateNote(ctx, { ...params, ...body })),
  route(notes.deleteNote, (ctx, { params }) => deleteNote(ctx, params)),
  route(changesContract, (ctx, { params, query }) => listConversationChanges(ctx, { ...params, ...query })),
  route(presenceContract, (ctx, { params, body }) => showPresence(ctx, { ...params, ...body })),
  route(contract.openConversation, (ctx, { body }) => openConversation(ctx, body)),
  route(contract.getConversation, (ctx, { params }) => getConversation(ctx, params)),
  route(contract.updateConversation, (ctx, { params, body }) => updateConversation(ctx, { ...params, ...body })),
  route(contract.showTyping, (ctx, { params, body }) => showTyping(ctx, { ...params, ...body })),
  route(contract.listConversationMessages, (ctx, { params, query }) =>
    listConversationMessages(ctx, { ...params, ...query }),
  ),
  route(contract.replyToConversation, (ctx, { params, body }) => replyToConversation(ctx, { ...params, ...body })),
];
