import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Campaign } from '#contracts/campaigns.ts';
import { dismissToast, getToasts } from '#web/shared/ui/toast-store.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleCampaign, sampleProject } from '#web/testing/samples.ts';
import { campaignColumns } from './campaign-columns.tsx';
import { CancelCampaignDialog } from './cancel-campaign-dialog.tsx';
import { DeleteCampaignDialog } from './delete-campaign-dialog.tsx';

type Question = 'delete' | 'cancel' | 'edit';

function Example({ campaign }: { campaign: Campaign }) {
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const columns = campaignColumns({
    projects: [sampleProject()],
    onEdit: () => setQuestion('edit'),
    onDelete: () => setQuestion('delete'),
    onCancel: () => setQuestion('cancel'),
  });
  return (
    <>
      <DataTable
        label="Campaigns"
        columns={columns}
        rowKey={({ id }) => id}
        query={{ data: { data: [campaign] }, error: null, isFetching: false, refetch: () => undefined }}
        empty=""
        failureText=""
      />
      {question === 'edit' && <p>Editing</p>}
      {question === 'delete' && <DeleteCampaignDialog campaign={campaign} onClose={close} />}
      {question === 'cancel' && <CancelCampaignDialog campaign={campaign} onClose={close} />}
    </>
  );
}

function open(changes: Partial<Campaign> = {}, answers: Record<string, () => Answer> = {}): Request[] {
  const campaign = sampleCampaign(changes);
  const requests = answerRequests({
    'POST /api/campaigns/4/pause': () => ({ body: campaign }),
    'POST /api/campaigns/4/resume': () => ({ body: campaign }),
    'POST /api/campaigns/4/cancel': () => ({ body: campaign }),
    ...answers,
  });
  render(inRouter(<Example campaign={campaign} />).page);
  return requests;
}

const row = page.getByRole('row').nth(1);
const more = page.getByRole('button', { name: 'More actions for Installed follow-up' });
const items = () =>
  page
    .getByRole('menuitem')
    .elements()
    .map((item) => item.textContent);

beforeEach(async () => {
  await page.viewport(1440, 900);
  for (const { id } of getToasts()) dismissToast(id);
});

test('shows the campaign, and leads to its recipients', async () => {
  open();
  await expect.element(row).toHaveTextContent(/Larkspur Store.*Segment: Installed users.*Running.*4\/10.*40%/);
  await expect
    .element(row.getByRole('progressbar'))
    .toHaveAttribute('aria-valuetext', '4 of 10 sent, 40%, 1 failed, 2 skipped');
  await expect.element(page.getByRole('link', { name: 'Installed follow-up' })).toHaveAttribute('href', '/campaigns/4');
});

test.each<[Partial<Campaign>, string | RegExp]>([
  [{ segment_name: null }, 'Segment #9'],
  [{ total_count: 0, sent_count: 0, failed_count: 0, skipped_count: 0, waiting_count: 0 }, '0/0'],
  [{ waiting_for: 'no_connected_phone' }, 'Waiting for a connected phone'],
  [{ waiting_for: 'daily_limit' }, 'Waiting for tomorrow: the daily limit is reached'],
  [{ waiting_for: 'subscription' }, 'Waiting for an active subscription'],
  [{ status: 'scheduled', when: '2030-01-15T09:00:00.000Z' }, /Starts 1\d Jan 2030/],
  [{ status: 'cancelled' }, 'Cancelled'],
  [{ status: 'failed', error: 'The segment has no members' }, /Failed.*The segment has no members/],
])('of %j it says %s', async (changes, text) => {
  open(changes);
  await expect.element(row).toHaveTextContent(text);
});

test('a scheduled campaign shows when it starts, beneath its counts', async () => {
  open({ status: 'scheduled', when: '2030-01-15T09:00:00.000Z', total_count: 0, sent_count: 0 });
  await expect.element(row).toHaveTextContent(/0\/00%Starts 1\d Jan 2030/);
});

test.each<[Campaign['status'], string[]]>([
  ['scheduled', ['Recipients', 'Pause', 'Cancel']],
  ['creating', ['Recipients', 'Cancel']],
  ['running', ['Recipients', 'Pause', 'Cancel']],
  ['paused', ['Recipients', 'Resume', 'Cancel']],
  ['completed', ['Recipients']],
  ['failed', ['Recipients']],
  ['cancelled', ['Recipients']],
])('a campaign that is %s offers %j', async (status, labels) => {
  open({ status });
  await more.click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  expect(items()).toEqual(labels);
});

test('pauses by keyboard', async () => {
  const requests = open();
  await expect.element(more).toBeVisible();
  (more.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Recipients' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Pause' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Campaign paused')).toBeVisible();
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /api/campaigns/4/pause',
  ]);
  await expect.element(more).toHaveFocus();
});

test('says why it cannot be paused', async () => {
  open({}, { 'POST /api/campaigns/4/pause': () => problem(409, 'campaign_not_running', 'It has ended') });
  await more.click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('It has ended');
});

test('asks before it cancels', async () => {
  const requests = open();
  await more.click();
  await page.getByRole('menuitem', { name: 'Cancel' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Cancel campaign "Installed follow-up"?' });
  await expect.element(dialog).toHaveTextContent('3 people still waiting get nothing.');
  expect(requests).toHaveLength(0);
  await page.getByRole('button', { name: 'Cancel campaign' }).click();
  await expect.element(page.getByText('Campaign cancelled')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('asks before it deletes, and shows what failed', async () => {
  let refusals = 0;
  const requests = open(
    {},
    {
      'DELETE /api/campaigns/4': () => {
        refusals += 1;
        return refusals === 1 ? problem(500, 'fault', '') : { body: null };
      },
    },
  );
  await page.getByRole('button', { name: 'Delete Installed follow-up' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete automation "Installed follow-up"?' });
  await expect.element(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveFocus();
  expect(requests).toHaveLength(0);
  const confirm = page.getByRole('button', { name: 'Delete', exact: true });
  await confirm.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to delete automation');
  await expect.element(dialog).toBeVisible();
  await confirm.click();
  await expect.element(page.getByText('Automation deleted')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});
