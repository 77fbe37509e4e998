import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { ConversationChange } from '#contracts/conversation-changes.ts';
import type { ConversationLabel } from '#contracts/conversation-labels.ts';
import type { ConversationNote } from '#contracts/conversation-notes.ts';
import type { Conversation, ConversationDetail } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import { setCurrentProject } from '#web/shared/session.ts';
import { answerRequests, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleConversation, sampleMessage, samplePhone, sampleProfile } from '#web/testing/samples.ts';
import { InboxPage } from '../inbox-page.tsx';

const ada = sampleConversation({ id: 40, name: 'Ada Lindqvist', unread_count: 2 });
const bo = sampleConversation({ id: 41, name: null, phone: '61491570156', profile_id: null });

type Scene = {
  path?: string;
  conversations?: readonly Conversation[];
  detail?: Partial<ConversationDetail>;
  messages?: readonly Message[];
  quoted?: readonly Message[];
  mentioned?: readonly { person: string; name: string }[];
  reply?: (request: Request) => Answer | Promise<Answer>;
  labels?: readonly ConversationLabel[];
  notes?: readonly ConversationNote[];
  changes?: readonly ConversationChange[];
  answers?: Parameters<typeof answerRequests>[0];
};

/** The inbox over a server that knows Ada (40) and a number without a name (41). */
export function showInbox(scene: Scene = {}) {
  const { path = '/inbox', conversations = [ada, bo], detail = {}, messages = [], quoted = [], mentioned = [] } = scene;
  const { reply, labels = [], notes = [], changes = [], answers } = scene;
  setCurrentProject(3);
  onTestFinished(() => setCurrentProject(null));
  const requests = answerRequests({
    'GET /api/conversations': () => ({ body: { data: conversations, mentioned, next_cursor: null } }),
    'GET /api/conversations/counts': () => ({
      body: { unread: 1, unread_messages: 2, open: 2, mine: 0, unassigned: 2, snoozed: 0 },
    }),
    'GET /api/conversations/assignees': () => ({ body: { data: [{ id: 1, name: 'Maya Okafor' }] } }),
    'GET /api/conversations/labels': () => ({ body: { data: labels } }),
    'GET /api/conversations/40': () => ({ body: { ...ada, ...detail } }),
    'GET /api/conversations/41': () => ({ body: { ...bo, ...detail } }),
    'PUT /api/conversations/40/presence': () => ({ body: { others: [] } }),
    'GET /api/conversations/40/notes': () => ({ body: { data: notes, next_cursor: null } }),
    'GET /api/conversations/40/changes': () => ({ body: { data: changes, next_cursor: null } }),
    'GET /api/conversations/41/changes': () => ({ body: { data: [], next_cursor: null } }),
    'GET /api/conversations/41/notes': () => ({ body: { data: [], next_cursor: null } }),
    'GET /api/conversations/40/messages': () => ({
      body: { data: messages, quoted, mentioned: [], next_cursor: null },
    }),
    'GET /api/conversations/41/messages': () => ({ body: { data: [], quoted: [], mentioned: [], next_cursor: null } }),
    'PATCH /api/conversations/40': () => ({ body: { ...ada, ...detail } }),
    'POST /api/conversations/40/messages': reply ?? (() => ({ status: 201, body: sampleMessage() })),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [samplePhone({ id: 7, name: 'Support PT' })] } }),
    'GET /api/profiles/5': () => ({
      body: sampleProfile({ id: 5, name: 'Ada Lindqvist', custom_fields: { order: 4821 } }),
    }),
    ...answers,
  });
  const { page: element, address } = inRouter(
    <div className="h-dvh">
      <InboxPage />
    </div>,
    path,
  );
  const queryClient = render(element);
  const sent = (method: string, end: string) =>
    requests.filter((request) => request.method === method && new URL(request.url).pathname.endsWith(end));
  return { address, sent, queryClient };
}

export const list = page.getByRole('list', { name: 'Conversations' });
export const log = page.getByRole('log');
export const composer = page.getByRole('textbox', { name: 'Message', exact: true });
export const send = page.getByRole('button', { name: 'Send', exact: true });
