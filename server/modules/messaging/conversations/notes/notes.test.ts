import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '#contracts/audit.ts';
import { createNote, deleteNote, listNotes, updateNote } from '#contracts/conversation-notes.ts';
import { listConversationMessages, listConversations } from '#contracts/conversations.ts';
import type { LiveEvent } from '#contracts/live.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { inTransaction } from '#server/context.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { followConversations } from '../follow-messages.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
});

afterAll(() => app[Symbol.asyncDispose]());

const from = '14155550132';

/** An owner, an agent and a viewer, with a conversation in a project that tells a server. */
async function scene() {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner, 'https://example.com/hook');
  const phone = await connectSandboxPhone(owner, project.id);
  await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Hello?' } });
  const [agent, viewer] = [await signUp(app.url), await signUp(app.url)];
  await joinAccount(app, owner, agent, 'agent');
  await joinAccount(app, owner, viewer, 'viewer');
  await app.ctx.db.updateTable('accounts').set({ name: 'Grace Hopper' }).where('id', '=', agent.id).execute();
  const { body } = await owner.api.call(listConversations, { query: { project_id: project.id } });
  const conversationId = body.data[0]?.id ?? 0;
  const params = { conversationId };
  const write = async ({ api }: Customer, text: string) =>
    (await api.call(createNote, { params, body: { text } })).body;
  const notes = async ({ api }: Customer) => (await api.call(listNotes, { params, query: {} })).body.data;
  return { owner, agent, viewer, project, conversationId, params, write, notes };
}

test('a note is seen by the members, newest first, apart from the messages and in no webhook', async () => {
  const { owner, agent, viewer, project, params, conversationId, write, notes } = await scene();
  const events: LiveEvent[] = [];
  const unsubscribe = subscribeLive(app.ctx, (event) => void events.push(event), { accountId: owner.id });
  const first = await write(agent, '  The courier tore three bags ');
  expect(first).toMatchObject({
    conversation_id: conversationId,
    text: 'The courier tore three bags',
    author: { id: agent.id, name: 'Grace Hopper' },
    mentions: [],
    edited_at: null,
  });
  await write(owner, 'Send her a new one');
  const news = { type: 'conversations.changed', project_id: project.id, conversation_id: conversationId };
  await expect.poll(() => events).toContainEqual(news);
  unsubscribe();
  expect((await notes(viewer)).map(({ text }) => text)).toEqual(['Send her a new one', 'The courier tore three bags']);
  const { body: messages } = await owner.api.call(listConversationMessages, { params, query: {} });
  expect(messages.data.map(({ message }) => message)).toEqual(['Hello?']);
  const { body: webhooks } = await owner.api.call(listWebhooks, { params: { projectId: project.id }, query: {} });
  expect(JSON.stringify(webhooks)).not.toMatch(/courier|new one/);
  const { body: page } = await owner.api.call(listNotes, { params, query: { limit: 1 } });
  const { body: rest } = await owner.api.call(listNotes, {
    params,
    query: { limit: 1, after: page.next_cursor ?? '' },
  });
  expect([page.data[0]?.text, rest.data[0]?.text, rest.next_cursor]).toEqual([
    'Send her a new one',
    'The courier tore three bags',
    null,
  ]);
});

test('only the author changes a note, and a viewer writes none; each act is in the audit log without the text', async () => {
  const { owner, agent, viewer, params, write, notes } = await scene();
  const note = await write(agent, 'Call her back');
  const ofNote = { params: { ...params, noteId: note.id } };
  const refused = await owner.api.refuse(updateNote, { ...ofNote, body: { text: 'Mine now' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'not_your_note' } });
  expect(await owner.api.refuse(deleteNote, ofNote)).toMatchObject({ status: 403, body: { code: 'not_your_note' } });
  const denied = await viewer.api.refuse(createNote, { params, body: { text: 'Hm' } });
  expect(denied).toMatchObject({ status: 403, body: { code: 'missing_permission' } });
  const { body: edited } = await agent.api.call(updateNote, { ...ofNote, body: { text: 'Call her on Monday' } });
  expect(edited).toMatchObject({ text: 'Call her on Monday', edited_at: expect.any(String) });
  await agent.api.call(deleteNote, ofNote);
  expect(await notes(owner)).toEqual([]);
  expect((await agent.api.refuse(deleteNote, ofNote)).status).toBe(404);
  const { body: log } = await owner.api.call(listAuditEvents, { query: { target: `note:${note.id}` } });
  expect(log.data.map(({ action }) => action)).toEqual(['note.deleted', 'note.changed', 'note.created']);
  expect(JSON.stringify(log)).not.toMatch(/Call her/);
});

test('members who see the project are named by @ and their name, the author and strangers are not', async () => {
  const { owner, agent, viewer, write } = await scene();
  const other = await makeProject(owner);
  const narrowed = await signUp(app.url);
  await joinAccount(app, owner, narrowed, 'agent', [other.id]);
  const rename = (id: number, name: string) =>
    app.ctx.db.updateTable('accounts').set({ name }).where('id', '=', id).execute();
  await rename(viewer.id, 'Víctor Nunes');
  await rename(narrowed.id, 'Nadia Ali');
  const note = await write(agent, '@Grace Hopper asks @víctor and @Nadia Ali, not @Nobody');
  expect(note.mentions).toEqual([{ id: viewer.id, name: 'Víctor Nunes' }]);
});

test('a note that cannot be stored or has no room is refused', async () => {
  const { owner, conversationId, params, write } = await scene();
  for (const text of ['', '   ', 'x'.repeat(4_001), 'a\u0000b', '\ud800']) {
    expect((await owner.api.refuse(createNote, { params, body: { text } })).status).toBe(422);
  }
  await app.ctx.db
    .insertInto('conversation_notes')
    .values(
      Array.from({ length: 1_000 }, () => ({
        account_id: owner.id,
        conversation_id: conversationId,
        author_id: owner.id,
        author_name: 'Owner',
        text: 'One of many',
        mentions: [],
        created_at: new Date(),
        edited_at: null,
      })),
    )
    .execute();
  const full = await owner.api.refuse(createNote, { params, body: { text: 'One more' } });
  expect(full).toMatchObject({ status: 422, body: { errors: [{ path: 'text' }] } });
  await expect(write(owner, 'One more')).rejects.toThrow();
});

test('conversations are found by their notes, and notes of another account are not there', async () => {
  const { owner, project, conversationId, params, write } = await scene();
  await write(owner, 'Allergic to pollen');
  const found = async (search: string) =>
    (await owner.api.call(listConversations, { query: { project_id: project.id, search } })).body.data;
  expect((await found('POLLEN')).map(({ id }) => id)).toEqual([conversationId]);
  expect(await found('dust')).toEqual([]);
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.refuse(listNotes, { params, query: {} })).status).toBe(404);
  expect((await stranger.api.refuse(createNote, { params, body: { text: 'Hi' } })).status).toBe(404);
});

test('notes on a person behind an address go with the conversation to the number that is learnt', async () => {
  const { owner, project, conversationId, notes, write } = await scene();
  await write(owner, 'On the number');
  const { id: hiddenId } = await app.ctx.db
    .insertInto('conversations')
    .values({
      account_id: owner.id,
      project_id: project.id,
      contact_key: 'lid:77',
      phone: null,
      contact_name: null,
      phone_id: null,
      assigned_to: null,
      assigned_at: null,
      snoozed_until: null,
      last_message_id: 1,
      last_message_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await owner.api.call(createNote, { params: { conversationId: hiddenId }, body: { text: 'On the address' } });
  await inTransaction(app.ctx, (tx) =>
    followConversations(tx, [
      {
        type: 'contact.number_learnt',
        accountId: owner.id,
        projectId: project.id,
        at: new Date(),
        number: from,
        lid: '77',
      },
    ]),
  );
  expect((await notes(owner)).map(({ conversation_id: id, text }) => [id, text])).toEqual([
    [conversationId, 'On the address'],
    [conversationId, 'On the number'],
  ]);
});
