import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sampleOfficialPhone, sampleWhatsappTemplate } from '#web/testing/samples.ts';
import { accepted, csv, open, preview, project, send, upload } from './bulk-send-scene.tsx';

const template = sampleWhatsappTemplate({
  components: [{ type: 'BODY', text: 'Hi {{first_name}}, {{place}} is open.' }],
});

test('rows get a template, its variables filled with columns, in the run and in a test', async () => {
  await page.viewport(1600, 1400);
  const { requests, runs } = await open(accepted, {
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [sampleOfficialPhone()] } }),
    'GET /api/whatsapp-templates': () => ({ body: { data: [template], total: 1, page: 1, pageSize: 100 } }),
  });
  await upload(csv);
  await expect.element(page.getByText('Loaded 4 rows')).toBeVisible();
  await project.selectOptions('Larkspur Store');
  await page.getByText('WhatsApp template', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Template', exact: true }).click();
  await page.getByRole('option', { name: /order_ready/ }).click();
  const place = page.getByRole('textbox', { name: 'place', exact: true });
  await expect.element(send).toBeDisabled();
  await place.fill('{town}');
  await expect.element(place).toHaveAccessibleDescription(/{town} is not filled in/);
  await place.fill('');
  await page.getByRole('button', { name: 'Insert {shop}' }).click();
  await page.getByRole('textbox', { name: 'place, if empty' }).fill('our shop');
  await expect.element(preview).toHaveTextContent('Hi Ada, North is open.');
  await page.getByRole('button', { name: 'Test first' }).click();
  await expect.element(page.getByText('Test message sent successfully')).toBeVisible();
  const tested = requests.findLast(({ url }) => new URL(url).pathname === '/api/send-message');
  expect(await tested?.clone().json()).toEqual({
    to: '14155550101',
    type: 'template',
    template: { name: 'order_ready', language: 'en_GB', variables: { first_name: 'Ada', place: 'North' } },
  });
  await send.click();
  await expect.poll(() => runs.runs.length).toBe(1);
  const made = requests.find(({ method, url }) => method === 'POST' && new URL(url).pathname === '/api/bulk-runs');
  expect(await made?.clone().json()).toMatchObject({
    message: '',
    template: {
      name: 'order_ready',
      variables: { first_name: { text: '{name}', default: null }, place: { text: '{shop}', default: 'our shop' } },
    },
  });
});
