/** Vitest's `test` with a stand-in and phones of the product, both gone when the test ends. */
import { test as base, expect } from 'vitest';
import type { StandInOptions } from './stand-in.ts';
import { WhatsAppStandIn } from './stand-in.ts';
import { TestPhone } from './test-phone.ts';
import type { TestPhoneOptions } from './test-phone.ts';
import { trustTestRoot } from './test-root.ts';

trustTestRoot();

/** The account most tests link. */
export const own = '5511900000001';

export type WhatsAppFixture = {
  /** Options for the stand-in of a test or a file: `test.override('standIn', …)`. */
  standIn: StandInOptions;
  wa: WhatsAppStandIn;
  openPhone(options?: TestPhoneOptions): TestPhone;
  linkPhone(options?: TestPhoneOptions, number?: string): Promise<TestPhone>;
};

export const test = base.extend<WhatsAppFixture>({
  standIn: {},
  wa: async ({ standIn }, provide) => {
    const wa = await WhatsAppStandIn.listen(standIn);
    await provide(wa);
    await wa.close();
    // A stanza that the official client would not send fails the test, whatever it is about.
    expect([...new Set(wa.stats().wrongShapes)]).toEqual([]);
  },
  openPhone: async ({ wa }, provide) => {
    const phones: TestPhone[] = [];
    await provide((options) => {
      const phone = new TestPhone(wa, options);
      phones.push(phone);
      return phone;
    });
    await Promise.all(phones.map((phone) => phone.session.close()));
  },
  linkPhone: async ({ wa, openPhone }, provide) => {
    await provide(async (options, number = own) => {
      const phone = openPhone(options);
      await phone.link(wa, number);
      return phone;
    });
  },
});
