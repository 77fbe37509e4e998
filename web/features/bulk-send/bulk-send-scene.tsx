import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { BulkSendPanels } from './bulk-send-panels.tsx';
import { openBulkSend, type BulkSend } from './run/bulk-send.ts';
import { openRunStorage } from './run/run-storage.ts';

export const csv =
  'Country_Code,Phone,name,shop\n1,4155550101,Ada,North\n1,4155550102,Grace,\n1,22,=Kim,Kiosk\n1,4155550103,Lin,West';

export const send = page.getByRole('button', { name: 'Send', exact: true });
export const message = page.getByRole('textbox', { name: 'Message' });
export const project = page.getByRole('combobox', { name: 'Project' });
export const preview = page.getByRole('region', { name: 'Preview' });
export const file = page.getByRole('group', { name: 'Loaded file' });
export const question = page.getByRole('alertdialog');

/** Test files share the browser's storage. */
let lastUser = Math.trunc(performance.timeOrigin);

export async function openStored(userId: number): Promise<BulkSend> {
  const storage = await openRunStorage(userId);
  return openBulkSend(storage, await storage.load());
}

/** Lets go of a file over an element, as a browser does. */
export function drop(text: string, name: string, onto: Element): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  for (const type of ['dragover', 'drop']) {
    onto.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }
}

export async function open(answer: (request: Request) => Answer | Promise<Answer>, authKey = 'dpa_test') {
  lastUser += 1;
  const userId = lastUser;
  onTestFinished(() => void indexedDB.deleteDatabase(`dovepost.bulk-send.${userId}`));
  const requests = answerRequests({
    'POST /api/send-message': answer,
    'GET /api/user/me': () => problem(401, 'x', 'x'),
  });
  const bulkSend = await openStored(userId);
  render(<BulkSendPanels bulkSend={bulkSend} projects={[sampleProject({ auth_key: authKey })]} />);
  return { requests, bulkSend, userId };
}

export async function upload(text: string, name = 'customers.csv'): Promise<void> {
  await expect.element(project).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  await page.elementLocator(input ?? document.body).upload(new File([text], name));
}

export async function fill(text = 'Hi {name} of {shop}'): Promise<void> {
  await upload(csv);
  await expect.element(page.getByText('Loaded 4 rows')).toBeVisible();
  await project.selectOptions('Larkspur Store');
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('0');
  await message.fill(text);
}

export const accepted = () => ({ body: { id: 1, project_id: 3, status: 'sent', error: null } });
export const bodiesOf = (requests: Request[]) =>
  Promise.all(requests.map((request) => request.clone().json() as Promise<{ to: string; message: string }>));
