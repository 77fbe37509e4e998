import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AccountExport } from '#contracts/account-data.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleProfile, sampleUser } from '#web/testing/samples.ts';
import { useIdentityQuestion } from '#web/shared/identity-question.ts';
import { clearSession, startSession } from '#web/shared/session.ts';
import { ArchiveCard } from './archive-card.tsx';
import { EraseContactCard } from './erase-contact-card.tsx';
import { DeleteAccountCard } from './delete-account-card.tsx';

const archive: AccountExport = {
  id: 1,
  status: 'working',
  files: true,
  started_by: { id: 2, name: 'Maya Okafor' },
  progress: 0.614,
  size: null,
  url: null,
  error: null,
  created_at: '2026-11-20T13:58:00.000Z',
  finished_at: null,
  expires_at: null,
};

test('an archive is asked for without files, followed, and downloaded once it is there', async () => {
  let archives: AccountExport[] = [];
  const requests = answerRequests({
    'GET /api/account/exports': () => ({ body: { data: archives } }),
    'POST /api/account/export': () => {
      archives = [archive];
      return { status: 202, body: archive };
    },
  });
  render(inRouter(<ArchiveCard />).page);
  await page.getByRole('checkbox', { name: 'With the files of messages' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await expect.element(page.getByText('Being made, 61%')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeDisabled();
  expect(requests.find(({ method }) => method === 'POST')?.url).toContain('files=false');
  const url = 'https://dovepost.example/api/account-exports/dpx_1';
  archives = [{ ...archive, status: 'completed', size: 1_840_000_000, url, expires_at: '2026-11-27T14:02:00.000Z' }];
  await expect.element(page.getByText(/^1\.8 GB of /)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', url);
});

/** In place of the dialog, which is the app's. */
function IdentityAnswer() {
  const question = useIdentityQuestion();
  return question === undefined ? null : (
    <button type="button" onClick={() => question.answer(true)}>
      It is me
    </button>
  );
}

test('the link of an archive is shown once the person has shown who they are', async () => {
  const url = 'https://dovepost.example/api/account-exports/dpx_1';
  const completed = { ...archive, status: 'completed', size: 1_840_000_000, expires_at: '2026-11-27T14:02:00.000Z' };
  let shown: string | null = null;
  answerRequests({
    'GET /api/account/exports': () => ({ body: { data: [{ ...completed, url: shown }] } }),
    'GET /api/account/exports/1': () => {
      shown = url;
      return { body: { ...completed, url: null } };
    },
  });
  const screen = inRouter(
    <>
      <ArchiveCard />
      <IdentityAnswer />
    </>,
  );
  render(screen.page);
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('button', { name: 'It is me' }).click();
  await expect.element(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', url);
});

test('the account is deleted once its name is typed', async () => {
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  const requests = answerRequests({
    'DELETE /api/account': () => ({ status: 202, body: { deletes_at: '2026-12-04T14:06:00.000Z' } }),
    'GET /api/user/me': () => ({ body: { user: sampleUser(), suspension: null, ...sampleMembership() } }),
  });
  render(inRouter(<DeleteAccountCard />).page);
  await page.getByRole('button', { name: 'Delete the account' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog.getByRole('button', { name: 'Delete the account' })).toBeDisabled();
  await dialog.getByRole('textbox').fill(sampleUser().name);
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(requests.map(({ method }) => method)).toContain('DELETE');
});

test('a contact is found by what is known of them, and erased once that was asked', async () => {
  startSession({ token: 'token', user: sampleUser({ id: 2 }) });
  onTestFinished(clearSession);
  const ines = sampleProfile({ id: 5, name: 'Inês Carvalho', phone: '351912555014', email: 'ines@example.com' });
  const requests = answerRequests({
    'GET /api/profiles': () => ({ body: { data: [ines], total: 7, page: 1, pageSize: 5 } }),
    'POST /api/profiles/5/erase': () => ({ status: 204 }),
  });
  const erased = () => requests.filter(({ method }) => method === 'POST').length;
  render(inRouter(<EraseContactCard />).page);
  const field = page.getByRole('searchbox', { name: 'Number, email or name' });
  await field.fill('ines');
  const found = page.getByRole('list', { name: 'Contacts found' });
  await expect.element(found.getByText('+351 912 555 014 · ines@example.com')).toBeVisible();
  await expect.element(page.getByText('And 6 more.')).toBeVisible();
  expect(new URL(requests[0]?.url ?? '').searchParams.get('search')).toBe('ines');
  await found.getByRole('button', { name: 'Erase Inês Carvalho' }).click();
  const question = page.getByRole('alertdialog', { name: 'Erase Inês Carvalho?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(erased()).toBe(0);
  await found.getByRole('button', { name: 'Erase Inês Carvalho' }).click();
  await question.getByRole('button', { name: 'Erase' }).click();
  await expect.element(page.getByText('Contact erased')).toBeVisible();
  expect(erased()).toBe(1);
  await expect.element(field).toHaveValue('');
  await expect.element(found).not.toBeInTheDocument();
});
