import { expect, vi } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;

test('no key, credential or text reaches the log or the console', async ({ wa, openPhone }) => {
  const printed: unknown[][] = [];
  for (const method of methods) vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args));
  const phone = openPhone();
  await phone.link(wa, own);
  await phone.send(customer, 'a secret offer');
  // A new conversation from the other side closes the session that is open.
  wa.contact(customer).party.forgetSessions();
  await wa.incoming({ from: customer, to: own, text: 'a secret answer' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  await phone.send(customer, 'another secret offer');
  await phone.session.close();

  for (const method of methods) console[method]('something else');

  expect(printed).toEqual(methods.map(() => ['something else']));
  const log = phone.log.join('\n');
  expect(log).not.toBe('');
  expect(log).not.toContain('secret');
  const stored = [phone.store.credentials ?? '', ...phone.store.keys.values()];
  const secrets = stored.flatMap((value) => value.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []);
  expect(secrets.length).toBeGreaterThan(100);
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  vi.restoreAllMocks();
});
