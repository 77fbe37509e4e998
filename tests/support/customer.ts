import { randomBytes } from 'node:crypto';
import { register } from '#contracts/accounts.ts';
import { approveTestOrder, captureOrder, createOrder } from '#contracts/billing.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import type { z } from 'zod';
import type { NewPhoneNumber, PhoneNumber } from '#contracts/phone-numbers.ts';
import { createProject } from '#contracts/projects.ts';
import type { Project } from '#contracts/projects.ts';
import { confirmIdentity } from '#contracts/two-factor.ts';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';

/** Somebody who signed up, and what they may call with. */
export type Customer = { id: number; email: string; password: string; token: string; apiKey: string; api: ApiClient };

export async function signUp(url: string, timezone = 'UTC'): Promise<Customer> {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const password = 'correct horse battery';
  const { body } = await createApiClient(url).call(register, {
    body: { name: 'Ada Lovelace', email, password, timezone },
  });
  const api = createApiClient(url, { authorization: body.token }, password);
  return { id: body.user.id, email, password, token: body.token, apiKey: body.user.api_key ?? '', api };
}

/** Goes through the test payment, as the subscription page does. */
export async function subscribe({ api }: Customer): Promise<void> {
  const { body: order } = await api.call(createOrder, { body: { planId: 1 } });
  const orderId = order.orderId ?? '';
  await api.call(approveTestOrder, { body: { orderId, approve: true } });
  await api.call(captureOrder, { body: { orderId, planId: 1 } });
}

/** Sensitive acts go without asking again for the next 15 minutes. */
export async function proveIdentity({ api, password }: Customer): Promise<void> {
  await api.call(confirmIdentity, { body: { password } });
}

export async function signUpSubscriber(url: string, timezone?: string): Promise<Customer> {
  const customer = await signUp(url, timezone);
  await subscribe(customer);
  return customer;
}

/** A project as its owner sees it: with its keys. */
export type OwnProject = Project & { auth_key: string; webhook_secret: string };

export function withKeys(project: Project): OwnProject {
  const { auth_key, webhook_secret } = project;
  if (auth_key === null || webhook_secret === null) throw new Error('The keys of the project are not shown');
  return { ...project, auth_key, webhook_secret };
}

export async function makeProject({ api }: Customer, webhookUrl: string | null = null): Promise<OwnProject> {
  const { body } = await api.call(createProject, { body: { name: 'Shop', webhook_url: webhookUrl } });
  return withKeys(body);
}

let lastNumber = 4_420_7000_0000;

/** A sandbox phone that is connected. */
export async function connectSandboxPhone(
  { api }: Customer,
  projectId: number,
  settings: Partial<z.input<typeof NewPhoneNumber>> = {},
): Promise<PhoneNumber> {
  lastNumber += 1;
  const { body: phone } = await api.call(addPhoneNumber, {
    params: { projectId },
    body: { phone_number: String(lastNumber), connector: 'sandbox', ...settings },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  return phone;
}
