import { expect, test } from 'vitest';
import { officialWebhookFields } from '#contracts/official-webhooks.ts';
import { noticeWords } from './notice-words.ts';
import { peopleReaders, readWebhook } from './read-webhook.ts';

const now = new Date('2026-11-25T12:00:00Z');

/** A change of each field that Meta says something in, with the words that a reader of the number's page begins with. */
const said: Readonly<Record<string, [value: object, words: string]>> = {
  message_template_status_update: [{ event: 'APPROVED', message_template_name: 'a' }, 'The template a is approved'],
  message_template_quality_update: [{ new_quality_score: 'RED', message_template_name: 'a' }, 'The quality of the'],
  message_template_components_update: [{ message_template_name: 'a' }, 'The template a has another text now'],
  template_category_update: [{ previous_category: 'UTILITY', new_category: 'MARKETING' }, 'The template  is marketing'],
  phone_number_quality_update: [{ event: 'FLAGGED', current_limit: 'TIER_10K' }, 'The quality of the number is low'],
  phone_number_name_update: [{ decision: 'APPROVED', requested_verified_name: 'Shop' }, 'The display name Shop is'],
  business_capability_update: [{ max_daily_conversations_per_business: 2000 }, 'The business portfolio may write'],
  account_update: [{ event: 'ACCOUNT_DELETED' }, 'The business account was deleted'],
  account_review_update: [{ decision: 'REJECTED' }, 'The review of the business account ended'],
  account_alerts: [{ alert_info: { alert_description: 'Look here' } }, 'Look here'],
  security: [{ event: 'PIN_CHANGED' }, 'The two-step PIN'],
};

/** Fields that nobody can tick, and why they are read all the same. */
const unticked: Readonly<Record<string, string>> = {
  user_id_update: 'Meta sends it unasked, or as a system message in its place',
};

test('each field of Meta is either data of people, or said on the page of the number in words, and is to be ticked', () => {
  const handled = [...Object.keys(peopleReaders), ...Object.keys(said)];
  const listed = [...officialWebhookFields.map(({ field }) => field), ...Object.keys(unticked)];
  expect(handled.toSorted()).toEqual(listed.toSorted());
  expect(handled).toHaveLength(17);
});

test.each(Object.entries(said))('%s is told in words', (field, [value, words]) => {
  const news = readWebhook({ entry: [{ id: '1', changes: [{ field, value }] }] }, now);
  expect(news).toEqual([{ kind: 'account', accountId: '1', field, value, at: undefined }]);
  expect(noticeWords(field, value).message).toMatch(new RegExp(`^${words}`));
});

test('a field that nobody knows yet is shown as Meta calls it', () => {
  expect(noticeWords('holograms_update', {}).message).toBe('Meta sent holograms update');
});

test('each message of a change has the name of its own sender, and a stranger among them none', () => {
  const text = { id: 'wamid.1', type: 'text', text: { body: 'Hello' } };
  const namesIn = (contacts: object[], messages: object[]) => {
    const value = {
      metadata: { phone_number_id: '1' },
      contacts,
      messages: messages.map((one) => ({ ...text, ...one })),
    };
    return readWebhook({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] }, now).map((news) =>
      news.kind === 'message' ? news.message.senderName : news.kind,
    );
  };
  const [ana, rui] = [
    { profile: { name: 'Ana' }, wa_id: '4915110000001' },
    { profile: { name: 'Rui' }, user_id: 'PT.1' },
  ];
  expect(namesIn([ana, rui], [{ from_user_id: 'PT.1' }, { from: '4915110000001' }, { from: '4915110000003' }])).toEqual(
    ['Rui', 'Ana', undefined],
  );
  expect(namesIn([ana], [{ from: '5511955551111' }])).toEqual(['Ana']);
});

test.each([
  ['PARTNER_ADDED', /was shared with an app/],
  ['PARTNER_REMOVED', /was taken back from an app/],
  ['ACCOUNT_OFFBOARDED', /was taken back from an app/],
  ['ACCOUNT_RECONNECTED', /is connected again/],
])('a business account that comes and goes is told: %s', (event, words) => {
  expect(noticeWords('account_update', { event }).message).toMatch(words);
});

test.each([
  ['UNFLAGGED', 'The quality of the number is no longer low'],
  ['THROUGHPUT_UPGRADE', 'The number may send more a second'],
  ['UPGRADE', 'The business portfolio may write to 10,000 people a day first'],
])('the words of a notice about a number go before the limit that stands beside them: %s', (event, message) => {
  expect(noticeWords('phone_number_quality_update', { event, current_limit: 'TIER_10K' }).message).toBe(message);
});
