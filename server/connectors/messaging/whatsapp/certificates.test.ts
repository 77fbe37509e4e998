import { describe, expect } from 'vitest';
import { test } from '#tests/whatsapp/fixture.ts';

describe.for(['bad_intermediate_signature', 'bad_leaf_signature', 'other_issuer', 'no_leaf'] as const)('%s', (flaw) => {
  const flawed = test.extend({ standIn: { certificateFlaw: flaw } });

  flawed('is refused before anything is sent', async ({ wa, openPhone }) => {
    const phone = openPhone();
    await phone.next('reconnecting');
    expect(phone.states.map(({ status }) => status)).toEqual(['connecting', 'reconnecting']);
    expect(phone.log.join('')).toMatch(/certifica/);
    expect(wa.stats().logins).toBe(0);
  });
});
