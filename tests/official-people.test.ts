import { expect, test, vi } from 'vitest';
import { getConversation, listConversations } from '#contracts/conversations.ts';
import { listNotes } from '#contracts/conversation-notes.ts';
import { listMessages } from '#contracts/messages.ts';
import { createProfile, getProfile, updateProfile } from '#contracts/profiles.ts';
import { addSuppression, listSuppressions } from '#contracts/suppressions.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

let count = 0;
const newNumber = () => `49151100060${String((count += 1)).padStart(2, '0')}`;
const newUser = () => `DE.2349120865530${(count += 1)}`;
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

const conversationsOf = async ({ api, project }: OfficialScene) =>
  (await api.call(listConversations, { query: { project_id: project.id } })).body.data;

async function conversationWith(scene: OfficialScene, phone: string | null) {
  return vi.waitFor(async () => {
    const found = (await conversationsOf(scene)).find((conversation) => conversation.phone === phone);
    if (!found) throw new Error(`There is no conversation with ${phone}`);
    return found;
  }, patience);
}

const textsOf = async ({ api, project }: OfficialScene) =>
  (await api.call(listMessages, { params: { projectId: project.id }, query: {} })).body.data.map(
    (record) => record.message,
  );

async function profileOf({ api }: OfficialScene, phone: string, name: string | null) {
  const { body } = await api.call(createProfile, { body: { phone: `+${phone}`, ...(name !== null && { name }) } });
  const params = { profileId: body.id };
  return {
    name: async () => (await api.call(getProfile, { params })).body.name,
    rename: (to: string) => api.call(updateProfile, { params, body: { name: to } }),
  };
}

test('names of the Business app reach conversations and contacts without a name; typed ones stay, and older news changes nothing', async () => {
  const scene = await officialScene(app, meta);
  const [ana, ben, cem] = [newNumber(), newNumber(), newNumber()];
  const [unnamed, typed] = [await profileOf(scene, ana, null), await profileOf(scene, ben, 'Ben of the market')];
  meta.receiveText(cem, 'Hello');
  const conversation = await conversationWith(scene, cem);
  expect(conversation.name).toBe('Ana');
  const nameOfConversation = async () =>
    (await scene.api.call(getConversation, { params: { conversationId: conversation.id } })).body.name;

  meta.syncContact({ phone_number: ana, full_name: 'Ana Souza' }, { at: secondsAgo(60) });
  meta.syncContact({ phone_number: ben, full_name: 'Ben' }, { at: secondsAgo(60) });
  meta.syncContact({ phone_number: `+${cem}`, first_name: 'Cem' }, { at: secondsAgo(60) });
  await vi.waitFor(async () => expect(await unnamed.name()).toBe('Ana Souza'), patience);
  await vi.waitFor(async () => expect(await nameOfConversation()).toBe('Cem'), patience);
  expect(await typed.name()).toBe('Ben of the market');

  // The name that somebody gives themselves comes with each message.
  meta.receiveText(cem, 'Again');
  await vi.waitFor(async () => expect(await textsOf(scene)).toContain('Again'), patience);
  expect(await nameOfConversation()).toBe('Cem');

  meta.syncContact({ phone_number: ana, full_name: 'Ana S. Lima' }, { at: secondsAgo(30) });
  await vi.waitFor(async () => expect(await unnamed.name()).toBe('Ana S. Lima'), patience);
  meta.syncContact({ phone_number: ana, full_name: 'Ana Souza' }, { at: secondsAgo(45) });
  meta.syncContact({ phone_number: ana }, { action: 'remove', at: secondsAgo(20) });
  await vi.waitFor(async () => expect(await unnamed.name()).toBeNull(), patience);
  await unnamed.rename('Ana, typed');
  meta.syncContact({ phone_number: ana, full_name: 'Ana again' }, { at: secondsAgo(10) });
  meta.syncContact({ phone_number: cem }, { action: 'remove', at: secondsAgo(10) });
  await vi.waitFor(async () => expect(await nameOfConversation()).toBeNull(), patience);
  expect(await unnamed.name()).toBe('Ana, typed');
});

test('a conversation under a user id goes on under the new one, with its opt-out; told twice and in both ways it is the same', async () => {
  const scene = await officialScene(app, meta);
  const [before, after] = [newUser(), newUser()];
  meta.receiveFromUser(before, { type: 'text', text: { body: 'STOP' } });
  const { id } = await conversationWith(scene, null);
  const suppressed = async () =>
    (await scene.api.call(listSuppressions, { query: {} })).body.data.map(({ phone }) => phone);
  await vi.waitFor(async () => expect(await suppressed()).toEqual([`lid:${before}`]), patience);
  for (let times = 0; times < 2; times += 1) {
    meta.changeUserId({ previous: before, current: after });
    meta.receiveSystem({ type: 'user_changed_user_id', user_id: after, previous_user_id: before });
  }
  await vi.waitFor(async () => expect(await suppressed()).toEqual([`lid:${after}`]), patience);
  meta.receiveFromUser(after, { type: 'text', text: { body: 'Hello' } });
  await vi.waitFor(async () => expect(await textsOf(scene)).toContain('Hello'), patience);
  expect(await conversationsOf(scene)).toMatchObject([{ id, lid: after, phone: null }]);
});

test('somebody with another number stays opted out, the old conversation says so once, and no window opens by it', async () => {
  const scene = await officialScene(app, meta);
  const [before, after, user] = [newNumber(), newNumber(), newUser()];
  meta.receiveText(before, 'Hello');
  const { id } = await conversationWith(scene, before);
  await scene.api.call(addSuppression, { body: { phone: `+${before}` } });
  const system = { type: 'user_changed_number', wa_id: after, user_id: user, body: `Ana changed to ${after}` };
  meta.receiveSystem(system, before);
  meta.receiveSystem(system, before);
  const notes = async () =>
    (await scene.api.call(listNotes, { params: { conversationId: id }, query: {} })).body.data.map(({ text }) => text);
  const words = [`WhatsApp says that this person has another number. It is +${after} now.`];
  await vi.waitFor(async () => expect(await notes()).toEqual(words), patience);
  await meta.webhooks.settled();
  const suppressed = (await scene.api.call(listSuppressions, { query: {} })).body.data;
  expect(suppressed.map(({ phone }) => phone).toSorted()).toEqual([before, after]);
  expect(await textsOf(scene)).toEqual(['Hello']);
  expect((await conversationsOf(scene)).map(({ phone }) => phone)).toEqual([before]);
  const shut = await scene.send({ to: `+${after}`, message: 'Your order', override_opt_out: true });
  expect(shut).toMatchObject({ status: 409, body: { code: 'window_closed' } });
  expect(await notes()).toEqual(words);
});
