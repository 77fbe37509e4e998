import { expect, test as plain } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';
import { LookUpBreaker, LookUpsPausedError } from './look-up-breaker.ts';

const customer = '5511977771234';
const numbers = Array.from({ length: 80 }, (_, index) => String(5_511_960_000_000 + index));

test('numbers that are asked for together share a question, and their LIDs come with it', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const absent = numbers[7] ?? '';
  wa.contact(absent, { onWhatsApp: false });

  const outcomes = await Promise.all(numbers.map((number) => phone.send(number, 'Hello')));

  expect(outcomes.map(({ kind }) => kind)).toEqual(
    numbers.map((number) => (number === absent ? 'refused' : 'accepted')),
  );
  expect(wa.stats().lookUps).toEqual({ questions: 2, numbers: 80 });
});

test('after a 429 nothing more is asked, what waits is held, and known contacts go on', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await phone.send(customer, 'before');
  wa.faults.lookUpError = 429;
  const { questions } = wa.stats().lookUps;

  expect(await phone.send('5511988880001', 'new')).toMatchObject({ kind: 'held', code: 'look_ups_paused' });
  expect(await phone.send('5511988880002', 'new')).toMatchObject({ kind: 'held', code: 'look_ups_paused' });
  expect((await phone.send(customer, 'known')).kind).toBe('accepted');

  expect(wa.stats().lookUps.questions - questions).toBe(1);
  expect(wa.isConnected(own)).toBe(true);
});

test('known contacts go on during a 429 after a restart too', async ({ wa, openPhone, linkPhone }) => {
  const before = await linkPhone();
  await before.send(customer, 'before');
  await before.session.close();
  wa.faults.lookUpError = 429;

  const after = openPhone({ store: before.store });
  await after.next('connected');

  expect(await after.send('5511988880001', 'new')).toMatchObject({ kind: 'held' });
  expect((await after.send(customer, 'known')).kind).toBe('accepted');
});

test('another error on a question is asked again with the next attempt', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.faults.lookUpError = 503;
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'unknown' });
  wa.faults.lookUpError = undefined;
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'accepted' });
});

test('questions about devices and keys that are refused hold a message, and lose nothing', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  wa.faults.keysError = 500;
  expect((await phone.send(customer, 'Hello')).kind).toBe('unknown');
  wa.faults.keysError = undefined;
  wa.faults.devicesError = 429;
  expect(await phone.send('5511988880003', 'Hello')).toMatchObject({ kind: 'held', code: 'look_ups_paused' });
});

plain(
  'the pause begins with 15 minutes, doubles with each 429 in a row up to a day, and ends with an answer',
  async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const breaker = new LookUpBreaker({ now: () => new Date(nowMs) });
    const tooMany = () => Promise.reject(Object.assign(new Error('rate-overlimit'), { data: 429 }));
    const pauseMinutes = async () => {
      const error = await breaker.run(tooMany).catch((thrown: unknown) => thrown);
      if (!(error instanceof LookUpsPausedError)) throw new Error('It was not paused');
      const minutes = (error.until.getTime() - nowMs) / 60_000;
      nowMs = error.until.getTime();
      return minutes;
    };

    const pauses = [];
    for (let trip = 0; trip < 9; trip += 1) pauses.push(await pauseMinutes());
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
    expect(await breaker.run(() => Promise.resolve('answer'))).toBe('answer');
    expect(await pauseMinutes()).toBe(15);
  },
);
