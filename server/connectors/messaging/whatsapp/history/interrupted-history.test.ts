import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { HistoryNews } from '#server/connectors/messaging/port.ts';
import { DatabaseUnavailableError } from '#server/platform/db/errors.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import type { MemoryCredentialStore } from '#tests/whatsapp/memory-credential-store.ts';
import type { WhatsAppStandIn } from '#tests/whatsapp/stand-in.ts';
import type { TestPhone } from '#tests/whatsapp/test-phone.ts';

/** Of a piece, in their order: whether it is wanted is asked, its beginning is told, it is noted, a chat, its end. */
type Moment = 'wanted' | 'note' | HistoryNews['kind'];

type Interruption = (wa: WhatsAppStandIn, phone: TestPhone) => MemoryCredentialStore | undefined;

/** How the work on a piece is cut short; each answers the store with which another phone goes on. */
const interruptions: Record<string, Interruption> = {
  'its connection drops': (wa) => {
    wa.kick(own, 'drop');
    return undefined;
  },
  'its session is closed while WhatsApp listens': (_wa, phone) => {
    void phone.session.close();
    return phone.store;
  },
  'its process dies': (wa, phone) => {
    const store = phone.store.copy();
    phone.store.beforeWrite = () => Promise.reject(new Error('This process is dead'));
    wa.kick(own, 'drop');
    phone.session.abandon();
    return store;
  },
};

const moments: readonly Moment[] = ['wanted', 'begun', 'note', 'chat', 'piece'];
const cases = Object.keys(interruptions).flatMap((way) => moments.map((moment) => [way, moment] as const));

test.for(cases)(
  '%s at the moment of "%s": the next connection takes the piece over',
  async ([way, moment], { wa, openPhone }) => {
    const news: HistoryNews[] = [];
    const gone = Promise.withResolvers<MemoryCredentialStore | undefined>();
    let isDue = false;
    let isDead = false;
    const reach = async (reached: Moment) => {
      if (!isDue || reached !== moment) return;
      isDue = false;
      const store = interruptions[way]?.(wa, phone);
      // Whatever the network has to say of it is heard before the work goes on.
      for (let turns = 0; turns < 100; turns += 1) await turn();
      isDead = store !== undefined && store !== phone.store;
      gone.resolve(store);
    };
    const at = Math.floor(Date.now() / 1000) - 60;
    const options = {
      historySince: async () => {
        await reach('wanted');
        return new Date((at - 60) * 1000);
      },
      storeHistory: async (told: HistoryNews) => {
        await reach(told.kind);
        if (isDead) throw new Error('This process is dead');
        news.push(told);
        return true;
      },
    };
    const phone = openPhone(options);
    phone.store.beforeWrite = async (keys) => {
      if (keys.some(({ type, value }) => type === 'history' && value !== null)) await reach('note');
    };
    const isSettled = ({ store }: TestPhone) =>
      wa.contact(own).device?.unconfirmed.size === 0 && !store.keys.has('history/pending');
    await phone.link(wa, own);
    // The handset says first that there is nothing.
    await expect.poll(() => news.filter(({ kind }) => kind === 'piece').length).toBe(2);
    await expect.poll(() => isSettled(phone)).toBe(true);

    news.length = 0;
    isDue = true;
    const messages = [{ id: 'EARLIER', fromMe: false, at, message: { conversation: 'Hello' } }];
    await wa.shareChats(own, [{ number: '5511977771234', messages }]);
    const store = await gone.promise;
    isDead = false;
    const next = store ? openPhone({ ...options, store }) : phone;

    await expect.poll(() => news.at(-1)).toMatchObject({ kind: 'piece', isLost: false, isLast: true });
    const taken = news.flatMap((told) => (told.kind === 'chat' ? told.messages.map(({ content }) => content) : []));
    expect(taken).toContainEqual(expect.objectContaining({ text: 'Hello' }));
    await expect.poll(() => isSettled(next)).toBe(true);
  },
);

test('keys that cannot be read when a piece comes cost nothing: it comes again', async ({
  wa,
  linkPhone,
  openPhone,
}) => {
  const at = Math.floor(Date.now() / 1000) - 60;
  const historySince = async () => new Date((at - 60) * 1000);
  const before = await linkPhone({ historySince });
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  await before.session.close();
  const messages = [{ id: 'EARLIER', fromMe: false, at, message: { conversation: 'Hello' } }];
  await wa.shareChats(own, [{ number: '5511977771234', messages }]);
  const { store } = before;
  store.beforeRead = async (type) => {
    if (type !== 'session') return;
    store.beforeRead = async () => {};
    throw new DatabaseUnavailableError('it is restarted');
  };

  const { history } = openPhone({ store, historySince });

  await expect.poll(() => history.map(({ kind }) => kind)).toContain('chat');
});

test('a store that is away for long costs no piece', async ({ wa, linkPhone }) => {
  const at = Math.floor(Date.now() / 1000) - 60;
  let failures = 0;
  const kinds: string[] = [];
  await linkPhone({
    historySince: async () => new Date((at - 60) * 1000),
    storeHistory: async (told) => {
      if (told.kind === 'chat' && failures < 8) {
        failures += 1;
        throw new DatabaseUnavailableError('it is restarted');
      }
      kinds.push(told.kind === 'piece' && told.isLost ? 'lost' : told.kind);
      return true;
    },
  });
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  const messages = [{ id: 'EARLIER', fromMe: false, at, message: { conversation: 'Hello' } }];
  await wa.shareChats(own, [{ number: '5511977771234', messages }]);

  // Each new connection tries at once.
  for (let time = 1; time <= 8; time += 1) {
    await expect.poll(() => failures).toBe(time);
    await expect.poll(() => wa.isConnected(own)).toBe(true);
    wa.kick(own, 'drop');
  }

  await expect.poll(() => kinds).toContain('chat');
  expect(kinds).not.toContain('lost');
});
