import { expect } from 'vitest';
import { createFlow, getFlow, listDeliveries, runFlow } from '#contracts/flows.ts';
import type { Flow, FlowDelivery, FlowRun } from '#contracts/flows.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import type { Profile } from '#contracts/profiles.ts';
import type { Project } from '#contracts/projects.ts';
import type { TestApplication } from './application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './customer.ts';
import type { Customer } from './customer.ts';

/** Somebody with a project and a sandbox phone that is connected. */
export type FlowScene = { customer: Customer; project: Project; phone: PhoneNumber };

export async function makeFlowScene(app: TestApplication): Promise<FlowScene> {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  return { customer, project, phone: await connectSandboxPhone(customer, project.id) };
}

export async function addProfile({ customer }: FlowScene, index: number, values: object = {}): Promise<Profile> {
  const body = { phone: String(14_155_550_100 + index), name: `Person ${index}`, email: `p${index}@example.com` };
  return (await customer.api.call(createProfile, { body: { ...body, ...values } })).body;
}

export const hasEmail = { fieldPath: 'email', operator: 'exists', value: '' } as const;
export const isInstalled = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;

/** The body that the form sends, inactive, so that the flow runs only when told to. */
export function draft({ project }: FlowScene, values: object = {}) {
  return {
    name: 'Welcome',
    conditions: [hasEmail],
    duration: { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' },
    action: { type: 'send_message', projectId: project.id, message: 'Hello {name}' },
    frequency: { type: 'lifetime', value: null },
    active: false,
    ...values,
  } as const;
}

export const makeFlow = async (on: FlowScene, values?: object): Promise<Flow> =>
  (await on.customer.api.call(createFlow, { body: draft(on, values) })).body;

export const run = async ({ customer }: FlowScene, { id }: Flow): Promise<FlowRun> =>
  (await customer.api.call(runFlow, { params: { flowId: id } })).body;

export async function deliveriesOf({ customer }: FlowScene, { id }: Flow, query = {}): Promise<FlowDelivery[]> {
  return (await customer.api.call(listDeliveries, { params: { flowId: id }, query })).body.deliveries;
}

export const countsOf = async ({ customer }: FlowScene, { id }: Flow): Promise<Flow['counts']> =>
  (await customer.api.call(getFlow, { params: { flowId: id } })).body.counts;

export const allSent = (on: FlowScene, flow: Flow, sent: number): Promise<void> =>
  expect.poll(() => countsOf(on, flow)).toMatchObject({ waiting: 0, sent });
