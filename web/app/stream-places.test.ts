import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isMultiplexed, joinPlaces } from './stream-places.ts';

type OpenTab = { hasPlace: boolean; waits: number } & ReturnType<typeof joinPlaces>;

function openTab({ isVisible = true } = {}): OpenTab {
  const seen = { hasPlace: false, waits: 0 };
  const places = joinPlaces({ onPlace: (has) => (seen.hasPlace = has), onWait: () => (seen.waits += 1) });
  const tab = Object.assign(seen, places);
  tab.look(isVisible);
  opened.push(tab);
  return tab;
}

const opened: OpenTab[] = [];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const tab of opened.splice(0)) tab.close();
  vi.useRealTimers();
});

/** Messages between tabs arrive in real time, timers run when they are told to. */
async function pass(ms: number): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await hearAll();
    vi.advanceTimersByTime(ms / 3);
  }
  await hearAll();
}

async function hearAll(): Promise<void> {
  for (let hop = 0; hop < 3; hop += 1) {
    const [sender, receiver] = [new BroadcastChannel('test.turn'), new BroadcastChannel('test.turn')];
    const arrived = Promise.withResolvers<void>();
    receiver.addEventListener('message', () => arrived.resolve());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has its own origin alone.
    sender.postMessage('');
    await arrived.promise;
    sender.close();
    receiver.close();
  }
}

async function openInTurn(count: number, options?: { isVisible: boolean }): Promise<OpenTab[]> {
  const tabs: OpenTab[] = [];
  for (let index = 0; index < count; index += 1) {
    tabs.push(openTab(options));
    await pass(300);
  }
  return tabs;
}

const placesOf = (tabs: OpenTab[]) => tabs.map(({ hasPlace }) => hasPlace);

test('of tabs that are opened one after another the last four have a place', async () => {
  expect(placesOf(await openInTurn(6))).toEqual([false, false, true, true, true, true]);
});

test('of tabs that are opened at once, as by a browser that starts again, four have a place', async () => {
  const tabs = Array.from({ length: 10 }, (_, index) => openTab({ isVisible: index === 9 }));
  await pass(300);
  expect(placesOf(tabs).filter(Boolean)).toHaveLength(4);
  expect(tabs[9]?.hasPlace).toBe(true);
});

test('a hidden tab keeps its place until a tab that is looked at needs it, and has it again when it is shown', async () => {
  const tabs = await openInTurn(4);
  for (const tab of tabs) tab.look(false);
  await pass(300);
  expect(placesOf(tabs)).toEqual([true, true, true, true]);
  const [hiddenFirst] = tabs;
  tabs.push(...(await openInTurn(1)));
  expect(placesOf(tabs).filter(Boolean)).toHaveLength(4);
  expect(tabs[4]?.hasPlace).toBe(true);
  for (const tab of tabs) tab.look(false);
  await pass(300);
  hiddenFirst?.look(true);
  await pass(300);
  expect(hiddenFirst?.hasPlace).toBe(true);
  expect(placesOf(tabs).filter(Boolean)).toHaveLength(4);
});

test('a tab that opens in the background takes no place from others, and has the place of one that is closed', async () => {
  const tabs = await openInTurn(4);
  const [behind] = await openInTurn(1, { isVisible: false });
  expect(behind?.hasPlace).toBe(false);
  tabs[0]?.close();
  await pass(300);
  expect(behind?.hasPlace).toBe(true);
});

test('a tab that is looked at and has no place asks at an interval; one in the background does not', async () => {
  const [waiting, ...others] = await openInTurn(5);
  expect(waiting?.hasPlace).toBe(false);
  await pass(15_000);
  await pass(300);
  expect(waiting?.waits).toBe(1);
  await pass(15_000);
  expect(waiting?.waits).toBe(2);
  waiting?.look(false);
  await pass(60_000);
  expect(waiting?.waits).toBe(2);
  expect(placesOf(others)).toEqual([true, true, true, true]);
  expect(others.map(({ waits }) => waits)).toEqual([0, 0, 0, 0]);
});

test('several tabs that wait do not put one another off', async () => {
  const tabs = await openInTurn(4);
  for (let index = 0; index < 3; index += 1) {
    await pass(5000);
    tabs.push(...(await openInTurn(1)));
  }
  await pass(5000);
  expect(tabs.map(({ waits }) => waits)).toEqual([1, 0, 0, 0, 0, 0, 0]);
});

test('a tab that went without a word keeps nobody waiting for long', async () => {
  const gone = await Promise.all(Array.from({ length: 4 }, async () => new BroadcastChannel('dovepost.streams')));
  const waiting = openTab();
  for (const [index, channel] of gone.entries()) {
    const tab = { id: `gone ${index}`, isVisible: true, lookedAtMs: Date.now() + 1000 };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has its own origin alone.
    channel.postMessage({ kind: 'tells', tab });
    channel.close();
  }
  await pass(300);
  expect(waiting.hasPlace).toBe(false);
  await pass(15_000);
  await pass(300);
  expect(waiting.hasPlace).toBe(true);
});

test('a tab that leaves is not counted, and comes back when it is looked at', async () => {
  const tabs = await openInTurn(5);
  tabs[4]?.leave();
  await pass(300);
  expect(placesOf(tabs)).toEqual([true, true, true, true, false]);
  tabs[4]?.look(true);
  await pass(300);
  expect(placesOf(tabs)).toEqual([false, true, true, true, true]);
});

test.each([
  ['h2', `${location.origin}/api/user/me`, true],
  ['h3', `${location.origin}/api/user/me`, true],
  ['http/1.1', `${location.origin}/api/user/me`, false],
  ['h2', 'https://elsewhere.example/script.js', false],
])('over %s of %s connections are shared: %s', (nextHopProtocol, name, expected) => {
  expect(isMultiplexed([{ name, nextHopProtocol }])).toBe(expected);
});
