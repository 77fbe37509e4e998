import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { FilesCard } from './files-card.tsx';

test('how long files are kept is saved, and what cannot be is said on the field', async () => {
  const requests = answerRequests({
    'PUT /api/projects/3': () => ({ body: sampleProject({ media_kept_days: 30 }) }),
  });
  render(<FilesCard project={sampleProject()} />);
  const field = page.getByRole('spinbutton', { name: 'Keep files for (days)' });
  const save = page.getByRole('button', { name: 'Save Changes' });
  await expect.element(field).toHaveValue(90);
  await expect.element(save).toBeDisabled();
  await field.fill('0');
  await save.click();
  await expect.element(page.getByText('Use at least 1 day')).toBeVisible();
  await field.fill('30');
  await save.click();
  await expect.element(page.getByText('Files setting saved')).toBeVisible();
  expect(await requests.at(-1)?.json()).toEqual({ media_kept_days: 30 });
});
