import { describe, expect, test } from 'vitest';
import { createDeliverySlots } from './delivery-slots.ts';
import type { DeliverySlots } from './delivery-slots.ts';

/** Each of an account of its own. */
const project = (queueId: number) => ({ accountId: queueId, queueId });
const ofOneAccount = (count: number) => projects(count).map((each) => ({ ...each, accountId: 1 }));
const other = (queueId: number) => ({ accountId: 2, queueId });
const projects = (count: number) => Array.from({ length: count }, (_, index) => project(index + 1));
const slotsOf = (slots: DeliverySlots, queueId: number, now: number) =>
  slots.grant([project(queueId)], now)[0]?.slots ?? 0;

function endWith(slots: DeliverySlots, queueId: number, results: boolean[]): void {
  for (const succeeded of results) slots.begin(project(queueId), 0)(succeeded);
}

describe('a project', () => {
  test('starts small and grows with every success, up to a bound', () => {
    const slots = createDeliverySlots();
    expect(slotsOf(slots, 1, 0)).toBe(2);
    const open = slots.begin(project(1), 0);
    endWith(slots, 1, [true, true, true]);
    expect(slotsOf(slots, 1, 0)).toBe(4);
    endWith(slots, 1, Array(40).fill(true));
    expect(slotsOf(slots, 1, 0)).toBe(19);
    open(true);
  });

  test('keeps the slots it has earned when it answers before it is asked again', () => {
    const slots = createDeliverySlots();
    endWith(slots, 1, [true, true, true]);
    expect(slotsOf(slots, 1, 0)).toBe(5);
    endWith(slots, 1, [false]);
    expect(slotsOf(slots, 1, 0)).toBe(2);
  });

  test('is forgotten once many others have had events since', () => {
    const slots = createDeliverySlots();
    endWith(slots, 1, [true]);
    for (let id = 2; id <= 10_000; id += 1) endWith(slots, id, [true]);
    expect(slotsOf(slots, 1, 0)).toBe(3);
    endWith(slots, 10_001, [true]);
    expect(slotsOf(slots, 1, 0)).toBe(2);
  });

  test('falls to one attempt at a time while it fails, and recovers', () => {
    const slots = createDeliverySlots();
    endWith(slots, 1, [false, false]);
    expect(slotsOf(slots, 1, 0)).toBe(1);
    const probe = slots.begin(project(1), 0);
    expect(slotsOf(slots, 1, 0)).toBe(0);
    probe(true);
    expect(slotsOf(slots, 1, 0)).toBe(2);
  });
});

describe('many projects', () => {
  test('share what is free in equal parts, in their order', () => {
    const slots = createDeliverySlots();
    expect(slots.grant(projects(3), 0).map((grant) => grant.slots)).toEqual([2, 2, 2]);
    const grants = slots.grant(projects(300), 0);
    expect(grants).toHaveLength(200);
    expect(grants.every((grant) => grant.slots === 1)).toBe(true);
  });

  test('are not held back by endpoints that hang', () => {
    const slots = createDeliverySlots();
    for (const hanging of projects(100)) {
      slots.begin(hanging, 0);
      slots.begin(hanging, 0);
    }
    expect(slotsOf(slots, 999, 500)).toBe(0);
    expect(slotsOf(slots, 999, 1000)).toBe(2);
  });

  test('are not held back by endpoints that are known to fail', () => {
    const slots = createDeliverySlots();
    for (const failing of projects(200)) {
      endWith(slots, failing.queueId, [false]);
      slots.begin(failing, 0);
    }
    expect(slotsOf(slots, 999, 0)).toBe(2);
    endWith(slots, 1000, [false]);
    expect(slotsOf(slots, 1000, 0)).toBe(0);
  });

  test('have a bound all together', () => {
    const slots = createDeliverySlots();
    for (const hanging of projects(1000)) slots.begin(hanging, 0);
    expect(slotsOf(slots, 2000, 5000)).toBe(0);
  });
});

describe('an account with many projects', () => {
  test('shares with another as one account does, however many they are', () => {
    const slots = createDeliverySlots();
    slots.begin(other(999), 0);
    for (let repeat = 0; repeat < 40; repeat += 1) slots.begin(other(999), 0)(true);
    const grants = slots.grant([...ofOneAccount(300), other(999)], 0);
    expect(grants.filter(({ accountId }) => accountId === 1)).toHaveLength(99);
    expect(grants.filter(({ accountId }) => accountId === 2)).toEqual([{ ...other(999), slots: 19 }]);
  });

  test('leaves half of the prompt lane free from the start while its projects hang', () => {
    const slots = createDeliverySlots();
    for (const { slots: granted, ...hanging } of slots.grant(ofOneAccount(300), 0)) {
      for (let slot = 0; slot < granted; slot += 1) slots.begin(hanging, 0);
    }
    expect(slots.grant(ofOneAccount(300), 0)).toEqual([]);
    expect(slots.grant([other(999)], 0)).toEqual([{ ...other(999), slots: 2 }]);
  });

  test('never has more than half of all slots while its projects hang or fail', () => {
    const slots = createDeliverySlots();
    const hanging = ofOneAccount(1000);
    let begun = 0;
    for (let now = 0; now < 10_000; now += 1_000) {
      for (const { slots: granted, ...each } of slots.grant(hanging, now)) {
        for (let slot = 0; slot < granted; slot += 1) slots.begin(each, now);
        begun += granted;
      }
    }
    expect(begun).toBe(500);
    expect(slots.grant([other(1999)], 10_000)).toEqual([{ ...other(1999), slots: 2 }]);
  });

  test('leaves half of the slow lane to others while its projects fail', () => {
    const slots = createDeliverySlots();
    for (const failing of [...ofOneAccount(200), other(999)]) slots.begin(failing, 0)(false);
    for (const { slots: granted, ...failing } of slots.grant(ofOneAccount(200), 0)) {
      expect(granted).toBe(1);
      slots.begin(failing, 0);
    }
    expect(slots.grant(ofOneAccount(200), 0)).toEqual([]);
    expect(slots.grant([other(999)], 0)).toEqual([{ ...other(999), slots: 1 }]);
  });
});
