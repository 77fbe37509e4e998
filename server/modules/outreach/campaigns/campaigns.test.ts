import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCampaign, listCampaigns, previewCampaign, updateCampaign } from '#contracts/campaigns.ts';
import type { NewCampaign } from '#contracts/campaigns.ts';
import { deleteProject } from '#contracts/projects.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

describe('time', () => {
  test('in the future it is scheduled, and its time can be changed until then', async () => {
    const own = await makeScene(app, 2);
    const when = new Date(Date.now() + 3_600_000).toISOString();
    const campaign = await create(own, { when });
    expect(campaign).toMatchObject({ status: 'scheduled', when, total_count: 0, started_at: null });
    const params = { campaignId: campaign.id };
    const soon = new Date(Date.now() + 700).toISOString();
    const { body: changed } = await own.customer.api.call(updateCampaign, { params, body: { when: soon } });
    expect(changed).toMatchObject({ status: 'scheduled', when: soon });
    const done = await until(own, campaign, { status: 'completed', sent_count: 2 });
    expect(Date.parse(done.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(soon));
  });

  test('scheduled and then wanted now: it starts', async () => {
    const own = await makeScene(app, 2);
    const when = new Date(Date.now() + 3_600_000).toISOString();
    const campaign = await create(own, { when });
    await own.customer.api.call(updateCampaign, { params: { campaignId: campaign.id }, body: { when: null } });
    await until(own, campaign, { status: 'completed', when: null });
  });

  test('spread, the first goes at once and the others stay', async () => {
    const own = await makeScene(app, 5);
    const campaign = await create(own, { duration: 60 });
    await until(own, campaign, { status: 'running', sent_count: 1, waiting_count: 4, waiting_for: null });
    // The body that the page's dialog sends lifts the limit.
    const body = { when: null, duration: null };
    await own.customer.api.call(updateCampaign, { params: { campaignId: campaign.id }, body });
    await until(own, campaign, { status: 'completed', sent_count: 5 });
  });
});

describe('recipients', () => {
  test('as CSV, which no spreadsheet runs', async () => {
    const own = await makeScene(app, [
      { name: '=HYPERLINK("x")' },
      { name: 'Comma, "quoted"', phone: '14155550000' },
      { name: 'Out', status: 'opted out' },
    ]);
    const campaign = await create(own);
    await until(own, campaign, { status: 'completed', sent_count: 1, failed_count: 1, skipped_count: 1 });
    const { data } = await recipients(own, campaign);
    const download = async (query = '') => {
      const response = await fetch(`${app.url}/api/campaigns/${campaign.id}/recipients/export${query}`, {
        headers: { authorization: own.customer.token },
      });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toContain(`campaign-${campaign.id}.csv`);
      return (await response.text()).split('\r\n');
    };
    const lines = await download();
    expect(lines[0]).toBe(
      'profile_id,name,phone,status,message_status,message_id,error,error_code,changed_at,replied_at,clicked_at',
    );
    const [first, second, third] = data;
    // How far the message has come by now, and when, is another matter.
    const withoutNews = (line: string) =>
      line.replace(/,[^,]*,[^,]*,[^,]*$/, '').replace(/,(sent|delivered|read),(\d+),,$/, ',$2,,');
    expect(lines.slice(1).map(withoutNews)).toEqual([
      `${first?.profile_id},"'=HYPERLINK(""x"")",14155552002,sent,${first?.message_id},,`,
      `${second?.profile_id},"Comma, ""quoted""",14155550000,failed,failed,${second?.message_id},This number is not on WhatsApp,not_on_whatsapp`,
      `${third?.profile_id},Out,14155552004,skipped,,,Opted out of messages,opted_out`,
      '',
    ]);
    expect(await download('?status=failed')).toHaveLength(3);
  });

  test('of more than one reading, each once and in their order', async () => {
    const own = await makeScene(app, 2500, { hasPhone: false });
    const campaign = await create(own);
    await until(own, campaign, { status: 'running', total_count: 2500 });
    const response = await fetch(`${app.url}/api/campaigns/${campaign.id}/recipients/export?status=waiting`, {
      headers: { authorization: own.customer.token },
    });
    const [, ...lines] = (await response.text()).trim().split('\r\n');
    const ids = lines.map((line) => Number(line.split(',')[0]));
    expect(new Set(ids).size).toBe(2500);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const last = await recipients(own, campaign, { status: 'waiting', page: 25, pageSize: 100 });
    expect(last.data.map(({ profile_id: id }) => id)).toEqual(ids.slice(-100));
  });
});

test('the list is newest first, and open pages are notified of every change', async () => {
  const own = await makeScene(app, 20);
  const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: own.customer.token } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await create(own);
  const second = await create(own, { name: 'Second' });
  await until(own, second, { status: 'completed' });
  await until(own, first, { status: 'completed' });
  const { body } = await own.customer.api.call(listCampaigns);
  expect(body.data.map(({ id }) => id)).toEqual([second.id, first.id]);
  let heard = '';
  const isHeard = (id: number) => heard.includes(JSON.stringify({ type: 'campaigns.changed', campaign_id: id }));
  while (!isHeard(first.id) || !isHeard(second.id)) heard += (await reader?.read())?.value ?? '';
  await reader?.cancel();
});

test('a project takes its campaigns with it', async () => {
  const own = await makeScene(app, 50, { hasPhone: false });
  const campaign = await create(own);
  await until(own, campaign, { status: 'running', total_count: 50 });
  await own.customer.api.call(deleteProject, { params: { projectId: own.projectId } });
  expect((await own.customer.api.call(listCampaigns)).body.data).toEqual([]);
  const { rows } = await app.ctx.pool.query('select from campaign_recipients where campaign_id = $1', [campaign.id]);
  expect(rows).toEqual([]);
});

describe('preview', () => {
  test('says who would get it and who not, with the message as they read it', async () => {
    const own = await makeScene(app, [
      { name: 'Ada' },
      { name: 'Bad', phone: '14150005551' },
      { name: 'Out', status: 'opted out' },
      { name: 'Both', phone: '14150005552', status: 'unsubscribed' },
      { name: 'Grace' },
    ]);
    const body = { segment_id: own.segmentId, message: 'Hi {name}' };
    const { body: preview } = await own.customer.api.call(previewCampaign, { body });
    expect(preview).toMatchObject({ total: 5, will_receive: 2, skipped: { invalid_number: 2, opted_out: 1 } });
    expect(preview.samples.map(({ name, message }) => [name, message])).toEqual([
      ['Grace', 'Hi Grace'],
      ['Ada', 'Hi Ada'],
    ]);
  });
});

describe('refusals', () => {
  test.each<[string, Partial<Record<keyof NewCampaign, unknown>>, string]>([
    ['no name', { name: '  ' }, 'name'],
    ['a blank message', { message: ' \n ' }, 'message'],
    ['a message too long', { message: 'x'.repeat(4097) }, 'message'],
    ['no project', { project_id: undefined }, 'project_id'],
    ['a segment that is no number', { segment_id: 'x' }, 'segment_id'],
    ['a time that is none', { when: 'tomorrow' }, 'when'],
    ['a time that is long over', { when: '2020-01-01T00:00:00Z' }, 'when'],
    ['a duration below a minute', { duration: 0 }, 'duration'],
    ['a duration that is no whole number', { duration: 1.5 }, 'duration'],
    ['a duration of months', { duration: 43_201 }, 'duration'],
  ])('%s', async (_name, wrong, path) => {
    const own = await makeScene(app, 0);
    const body = { ...own.body, ...wrong } as NewCampaign;
    const { status, body: problem } = await own.customer.api.refuse(createCampaign, { body });
    expect({ status, paths: problem.errors?.map((each) => each.path) }).toEqual({ status: 422, paths: [path] });
  });

  test("another account's project and segment are not found", async () => {
    const own = await makeScene(app, 1);
    const others = await makeScene(app, 1);
    for (const [foreign, message] of [
      [{ project_id: others.projectId }, 'Project not found'],
      [{ segment_id: others.segmentId }, 'Segment not found'],
    ] as const) {
      const refused = await own.customer.api.refuse(createCampaign, { body: { ...own.body, ...foreign } });
      expect({ status: refused.status, message: refused.body.message }).toEqual({ status: 404, message });
      const campaign = await create(own, { when: new Date(Date.now() + 3_600_000).toISOString() });
      const params = { campaignId: campaign.id };
      const late = await own.customer.api.refuse(updateCampaign, { params, body: foreign });
      expect({ status: late.status, message: late.body.message }).toEqual({ status: 404, message });
    }
    const preview = { segment_id: others.segmentId, message: '' };
    expect((await own.customer.api.refuse(previewCampaign, { body: preview })).status).toBe(404);
    expect((await others.customer.api.call(listCampaigns)).body.data).toEqual([]);
  });
});
