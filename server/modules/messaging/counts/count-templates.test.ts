import { expect, test } from 'vitest';
import { templateDeltas } from './count-templates.ts';

const at = new Date('2026-11-21T10:00:00Z');
const template = { business_account_id: '77', name: 'order_ready', language: 'pt_BR' };

const sent = {
  account_id: 1,
  project_id: 2,
  phone_id: 3,
  created_at: new Date('2026-11-20T23:59:59.999Z'),
  delivered_at: null,
  read_at: null,
  media_source: { details: { template } },
};
const delivered = { ...sent, delivered_at: at };
const read = { ...delivered, read_at: at };
const row = { ...template, accountId: 1, projectId: 2, phoneId: 3, day: '2026-11-20' };

test('a message counts as delivered and as read once each, together or one after the other', () => {
  expect(templateDeltas([{ before: sent, after: delivered }])).toEqual([{ ...row, delivered: 1, read: 0 }]);
  expect(templateDeltas([{ before: delivered, after: read }])).toEqual([{ ...row, delivered: 0, read: 1 }]);
  expect(templateDeltas([{ before: sent, after: read }])).toEqual([{ ...row, delivered: 1, read: 1 }]);
  expect(templateDeltas([{ before: read, after: read }])).toEqual([]);
});

test('messages of a template and a day share a row, and all others have none', () => {
  const other = { ...template, language: 'en' };
  const inEnglish = <M extends object>(message: M) => ({ ...message, media_source: { details: { template: other } } });
  const text = { ...sent, media_source: null };
  expect(
    templateDeltas([
      { before: sent, after: read },
      { before: inEnglish(sent), after: inEnglish(delivered) },
      { before: sent, after: delivered },
      { before: text, after: { ...text, delivered_at: at } },
    ]),
  ).toEqual([
    { ...row, language: 'en', delivered: 1, read: 0 },
    { ...row, delivered: 2, read: 1 },
  ]);
});
