import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Answer } from '#web/testing/answer-requests.ts';
import { plainContext, sampleMessage, sampleProfile } from '#web/testing/samples.ts';
import { composer, log, send, showInbox } from '../testing/inbox-scene.tsx';
import { mentionNumbers } from './use-mentioning.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const url = 'https://shop.example/sale';
const preview = { url, title: 'Autumn sale', description: 'Half of it', picture: null };
const card = page.getByRole('group', { name: 'Link preview' });

test('a link shows its preview while one writes, which can be left out', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage()],
    answers: { 'GET /api/link-preview': () => ({ body: { preview } }) },
  });
  await composer.fill(`See ${url}, please`);
  await expect.element(card.getByText('Autumn sale')).toBeVisible();
  await expect.element(card.getByText('shop.example')).toBeVisible();
  await send.click();
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
  expect(await sent('POST', '/messages')[0]?.json()).not.toHaveProperty('preview');
  await composer.fill(`See ${url}`);
  await page.getByRole('button', { name: 'Send without the preview' }).click();
  await expect.element(card).not.toBeInTheDocument();
  await send.click();
  await expect.poll(() => sent('POST', '/messages').length).toBe(2);
  expect(await sent('POST', '/messages')[1]?.json()).toMatchObject({ message: `See ${url}`, preview: false });
});

test('a page without a name shows no preview, and the text goes all the same', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage()],
    answers: { 'GET /api/link-preview': () => ({ status: 500, body: {} }) },
  });
  await composer.fill(url);
  await expect.poll(() => sent('GET', '/link-preview').length).toBe(1);
  await expect.element(card).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
});

test('a message shows the card of its link, which leads to the page; another protocol leads nowhere', async () => {
  const shown = (id: number, link: string) =>
    sampleMessage({
      id,
      message: link,
      context: { ...plainContext, preview: { ...preview, url: link, title: `Page ${id}` } },
    });
  showInbox({
    path: '/inbox?conversation=40',
    messages: [shown(103, 'javascript:alert(1)'), shown(102, 'shop.example/a'), shown(101, url)],
  });
  await expect.element(log.getByRole('link', { name: /Page 101/ })).toHaveAttribute('href', url);
  await expect.element(log.getByRole('link', { name: /Page 102/ })).toHaveAttribute('href', 'https://shop.example/a');
  await expect.element(log.getByText('Page 103')).toBeVisible();
  await expect.element(log.getByRole('link', { name: /Page 103/ })).not.toBeInTheDocument();
});

test('the card of a link shows the picture of its page', async () => {
  const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  showInbox({
    path: '/inbox?conversation=40',
    messages: [
      sampleMessage({ id: 101, message: url, context: { ...plainContext, preview: { ...preview, picture } } }),
    ],
  });
  const link = log.getByRole('link', { name: /Autumn sale/ });
  await expect.element(link).toBeVisible();
  expect(link.element().querySelector('img')?.getAttribute('src')).toBe(picture);
});

test('people are mentioned by name, and go as numbers', async () => {
  const answer = Promise.withResolvers<Answer>();
  const people = [
    sampleProfile({ id: 8, name: 'Ana Lima', phone: '5511988887701' }),
    sampleProfile({ id: 9, name: 'Ana', phone: '5511988887702' }),
  ];
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage()],
    reply: () => answer.promise,
    answers: { 'GET /api/profiles': () => ({ body: { data: people, total: 2, page: 1, pageSize: 6 } }) },
  });
  await userEvent.click(composer);
  await userEvent.keyboard('Ask @An');
  const options = page.getByRole('listbox', { name: 'People to mention' });
  await expect.element(options.getByText('Ana Lima')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(composer).toHaveValue('Ask @Ana Lima ');
  await userEvent.keyboard('today{Enter}');
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
  expect(await sent('POST', '/messages')[0]?.json()).toMatchObject({
    message: 'Ask @5511988887701 today',
    mentions: ['+5511988887701'],
  });
  await expect.element(log.getByText('@Ana Lima')).toBeVisible();
  const message = 'Ask @5511988887701 today';
  const sentOn = sampleMessage({ id: 104, message, context: { ...plainContext, mentions: ['5511988887701'] } });
  answer.resolve({ status: 201, body: sentOn });
  await expect.element(log.getByText('Pending')).not.toBeInTheDocument();
  await expect.element(log.getByText('@Ana Lima')).toBeVisible();
});

test('mentions are shown by the names of contacts, else as numbers', async () => {
  const mentions = ['5511988887701', '14155550123'];
  const message = sampleMessage({
    id: 101,
    message: 'Ask *@5511988887701* or @14155550123, not @99',
    context: { ...plainContext, mentions },
  });
  showInbox({
    path: '/inbox?conversation=40',
    answers: {
      'GET /api/conversations/40/messages': () => ({
        body: {
          data: [message],
          quoted: [],
          mentioned: [{ person: '5511988887701', name: 'Ana Lima' }],
          next_cursor: null,
        },
      }),
    },
  });
  await expect.element(log.getByText('@Ana Lima')).toBeVisible();
  await expect.element(log.getByText('+1 415 555 0123')).toBeVisible();
  await expect.element(log.getByText('not @99')).toBeVisible();
});

test('a name that begins a longer word is not mentioned', () => {
  const people = [
    { name: 'Ana', phone: '1' },
    { name: 'Ana Lima', phone: '2' },
  ];
  expect(mentionNumbers('@Ana Lima, @Ana and @Anabel', people)).toEqual({
    text: '@2, @1 and @Anabel',
    mentions: [people[1], people[0]],
  });
  expect(mentionNumbers('nobody', people)).toEqual({ text: 'nobody', mentions: [] });
});
