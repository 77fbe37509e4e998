import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SegmentUse } from '#contracts/segments.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleSegment } from '#web/testing/samples.ts';
import { DeleteSegmentDialog } from './delete-segment-dialog.tsx';
import { UsageCard, UsageNote, UsedBy } from './segment-usage.tsx';

const flow: SegmentUse = { type: 'flow', id: 4, name: 'Win back', status: 'active', when_deleted: 'refused' };
const campaign = (id: number, when: SegmentUse['when_deleted'] = 'fails'): SegmentUse => ({
  type: 'campaign',
  id,
  name: `Spring ${id}`,
  status: 'scheduled',
  when_deleted: when,
});

function answer(data: SegmentUse[], total = data.length, finished = 0): void {
  answerRequests({
    'GET /api/segments/9/usage': () => ({ body: { data, total, finished_campaigns: finished } }),
    'GET /api/segments/usage': () => ({ body: { data: [{ id: 9, uses: data, total }] } }),
  });
}

test.each<[string, SegmentUse[], string]>([
  ['nothing', [], 'Its profiles stay. No segment, flow or campaign goes by it.'],
  [
    'a flow and a campaign',
    [flow, campaign(5, 'refused'), campaign(6)],
    'The flow “Win back” and the campaign “Spring 5” go by this segment. It can be deleted once nothing does any more.',
  ],
  [
    'a campaign that waits',
    [campaign(6)],
    'Its profiles stay. The campaign “Spring 6” still waits for this segment and will fail.',
  ],
  [
    'many campaigns that wait',
    [5, 6, 7, 8, 9].map((id) => campaign(id)),
    'The campaign “Spring 5”, the campaign “Spring 6”, the campaign “Spring 7” and 2 more still wait for this segment',
  ],
])('before a segment is deleted that is used by %s, it is said', async (_, uses, words) => {
  answer(uses);
  render(<DeleteSegmentDialog segment={sampleSegment()} onClose={() => undefined} />);
  await expect.element(page.getByRole('alertdialog')).toHaveTextContent(words);
});

test('a form that changes a segment says whom else it concerns', async () => {
  answer([flow, campaign(6)]);
  render(<UsageNote segmentId={9} />);
  const words = 'The flow “Win back” and the campaign “Spring 6” go by this segment: saving changes whom they reach.';
  await expect.element(page.getByText(words)).toBeVisible();
});

test('the page of a segment lists what goes by it, each with a link', async () => {
  answer([flow, campaign(6)], 120, 3);
  render(inRouter(<UsageCard segmentId={9} />, '/segments').page);
  await expect.element(page.getByRole('link', { name: 'Win back' })).toHaveAttribute('href', '/flows/4');
  await expect.element(page.getByRole('link', { name: 'Spring 6' })).toHaveAttribute('href', '/campaigns/6');
  await expect.element(page.getByText('Flow, active')).toBeVisible();
  await expect.element(page.getByText('And 118 more.')).toBeVisible();
  await expect.element(page.getByText('3 campaigns that are over went by it.')).toBeVisible();
});

test.each<[SegmentUse[], string]>([
  [[flow, campaign(6)], 'The flow “Win back”, the campaign “Spring 6” and 3 more'],
  [[], 'Nowhere'],
])('a line of the list names the first that goes by it, or says that nothing does: %#', async (uses, words) => {
  answer(uses, uses.length === 0 ? 0 : 5);
  render(<UsedBy segmentId={9} />);
  if (uses.length === 0) await expect.element(page.getByText(words)).toBeVisible();
  else await expect.element(page.getByTitle(words)).toHaveTextContent('Flow Win back+4');
});
