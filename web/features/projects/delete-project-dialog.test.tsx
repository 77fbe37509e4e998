import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';

test('names all that goes with a project before it is deleted', async () => {
  const requests = answerRequests({});
  render(<DeleteProjectDialog isOpen project={sampleProject()} onClose={() => undefined} />);
  const dialog = page.getByRole('alertdialog', { name: 'Delete Larkspur Store?' });
  for (const lost of ['phone numbers', 'auth key', 'campaigns', 'flows', 'messages', 'webhook records']) {
    await expect.element(dialog).toHaveAccessibleDescription(new RegExp(lost));
  }
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  expect(requests).toEqual([]);
});
