import { randomUUID } from 'node:crypto';

/** The wire as the releases before have it, written by hand: what today's contracts call must not change it. */
export type Account = { token: string; projectId: number; authKey: string; phoneId: number; id: number };

type Call = { method?: string; body?: unknown; headers?: Record<string, string>; text?: string };
export type Answer = { call: string; status: number; text: string };

/** Until an answer begins: an export of a million rows goes on for as long as it takes. */
const answerWithinMs = 60_000;

export async function call(url: string, path: string, { method, body, headers, text }: Call = {}): Promise<Answer> {
  const hasBody = body !== undefined || text !== undefined;
  const verb = method ?? (hasBody ? 'POST' : 'GET');
  const patience = new AbortController();
  const givingUp = setTimeout(() => patience.abort(), answerWithinMs);
  const response = await fetch(`${url}${path}`, {
    method: verb,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: text ?? JSON.stringify(body) }),
    signal: patience.signal,
  })
    .catch((cause: unknown) => {
      throw new Error(`${verb} ${path} got no answer`, { cause });
    })
    .finally(() => clearTimeout(givingUp));
  return { call: `${verb} ${path}`, status: response.status, text: await response.text() };
}

async function get<Body>(answer: Promise<Answer>): Promise<Body> {
  const { call: name, status, text } = await answer;
  if (status >= 300) throw new Error(`${name} → ${status} ${text}`);
  return JSON.parse(text) as Body;
}

/** A customer with a project and a connected sandbox phone. */
export async function signUp(url: string): Promise<Account> {
  const email = `${randomUUID()}@example.com`;
  const { token, user } = await get<{ token: string; user: { id: number } }>(
    call(url, '/api/auth/register', { body: { name: 'Ada', email, password: 'correct horse battery' } }),
  );
  const headers = { authorization: token };
  const post = <Body>(path: string, body: unknown) => get<Body>(call(url, path, { body, headers }));
  const { orderId } = await post<{ orderId: string }>('/api/subscription/create-order', { planId: 1 });
  await post('/api/subscription/test-approval', { orderId, approve: true });
  await post('/api/subscription/capture-order', { orderId, planId: 1 });
  const project = await post<{ id: number; auth_key: string }>('/api/projects', { name: 'Shop' });
  const phone = await post<{ id: number }>(`/api/projects/${project.id}/phone-numbers`, {
    phone_number: '14155550100',
    connector: 'sandbox',
    max_daily_messages: 1_000_000,
  });
  await get(call(url, `/api/phone-numbers/${phone.id}/connect`, { headers }));
  return { id: user.id, token, projectId: project.id, authKey: project.auth_key, phoneId: phone.id };
}

/** Queries that some paths require. */
const neededQueries: Readonly<Record<string, string>> = {
  '/api/profile-fields/values': '?path=name',
  '/api/saved-views': '?list=profiles',
};

/** A campaign may be done before it is paused, and no picture is uploaded. */
export const mayBeRefused = /campaigns\/\d+\/(pause|resume)$|thumbnail$/;

/** A process of the release before holds the phone, and knows nothing of questions to it. */
const mayBeSilent = ({ call: asked, text }: Answer) => /contacts\/\d+$/.test(asked) && text.includes('"phone_silent"');

/** Everything that a customer does in a day with the newest of the releases, once; a number makes each round different. */
export async function goRound(url: string, account: Account, round: string): Promise<Answer[]> {
  const { projectId, phoneId } = account;
  const headers = { authorization: account.token, 'current-project-id': String(projectId) };
  const answers: Answer[] = [];
  async function ask<Body = { id: number }>(path: string, options: Call = {}): Promise<Body> {
    const answer = await call(url, path, { ...options, headers: { ...headers, ...options.headers } });
    answers.push(answer);
    return (/^[[{]/.test(answer.text) ? JSON.parse(answer.text) : {}) as Body;
  }
  // Nobody's among the people that the account has.
  const phone = `1415755${String(Math.floor(Math.random() * 9_000) + 1_000)}`;
  const message = `Hello ${round}`;
  const withKey = { 'x-auth-key': account.authKey };
  const programs = { headers: withKey };
  const sent = await ask('/api/send-message', { body: { to: phone, message }, headers: withKey });
  await ask(`/api/messages/${sent.id}`, programs);
  await ask('/api/messages/batch', { body: { messages: [{ to: phone, message }] }, headers: withKey });
  await ask('/api/send-message', {
    body: { to: phone, message },
    headers: { ...withKey, 'idempotency-key': round, prefer: 'respond-async' },
  });
  await ask(`/api/phone-numbers/${phoneId}/sandbox/incoming`, { body: { from: phone, message: `Answer ${round}` } });

  const profile = await ask('/api/profiles', {
    body: { phone, name: `Ann ${round}`, custom_fields: { group: round } },
  });
  await ask(`/api/profiles/${profile.id}`, { method: 'PUT', body: { phone, name: `Ann B ${round}`, tags: ['a'] } });
  await ask('/api/suppressions', { body: { phone: '14155557001' } });
  await ask('/api/suppressions/14155557001?reason=asked_again', { method: 'DELETE' });
  const segment = await ask('/api/segments', {
    body: { name: round, condition: { fieldPath: 'custom_fields.group', operator: 'equals', value: round } },
  });
  const imported = await ask('/api/profiles/import', {
    text: `phone,name\n${phone},Ann\n`,
    headers: { 'content-type': 'text/csv' },
  });
  await ask(`/api/profiles/imports/${imported.id}/run`, { body: { fields: ['phone', 'name'] } });

  const template = await ask('/api/templates', { body: { name: `T ${round}`, message } });
  const campaign = await ask('/api/campaigns', {
    body: { name: round, project_id: projectId, segment_id: segment.id, message: 'Hi {name}' },
  });
  await ask(`/api/campaigns/${campaign.id}/pause`, { body: {} });
  await ask(`/api/campaigns/${campaign.id}/resume`, { body: {} });
  const flow = await ask('/api/flows', {
    body: {
      name: round,
      conditions: [{ fieldPath: 'custom_fields.group', operator: 'equals', value: round }],
      duration: { type: 'last_days', days: 1, dateFieldPath: 'created_at' },
      action: { type: 'send_message', projectId, message: 'Hi {name}' },
      frequency: { type: 'lifetime', value: null },
      active: true,
    },
  });
  const run = await ask('/api/bulk-runs', {
    body: { name: round, project_id: projectId, message, delay_ms: 0, rows: [{ to: phone }] },
  });
  await ask(`/api/bulk-runs/${run.id}/start`, { body: {} });
  const action = await ask('/api/bulk-actions', {
    body: { resource: 'profiles', action: 'tag', ids: [profile.id], tags: ['chosen'] },
  });
  const file = await ask(`/api/media?type=document&file_name=note.txt&project_id=${projectId}`, {
    text: message,
    headers: { 'content-type': 'text/plain' },
  });
  const view = await ask('/api/saved-views', { body: { list: 'profiles', name: round, search: 'q=a' } });
  const endpoint = await ask(`/api/projects/${projectId}/webhook-endpoints`, {
    body: { url: 'http://127.0.0.1:9/', events: ['message.sent'] },
  });
  const conversation = await ask('/api/conversations', { body: { project_id: projectId, phone } });
  await ask(`/api/conversations/${conversation.id}`, { method: 'PATCH', body: { read: true } });
  await ask(`/api/phone-numbers/${phoneId}`, { method: 'PUT', body: { name: round } });

  const records = await ask<{ data?: { id: number }[] }>(`/api/projects/${projectId}/webhooks`);

  const ids: Record<string, number | string> = {
    projectId,
    phoneId,
    messageId: sent.id,
    profileId: profile.id,
    segmentId: segment.id,
    importId: imported.id,
    templateId: template.id,
    campaignId: campaign.id,
    flowId: flow.id,
    runId: run.id,
    viewId: view.id,
    endpointId: endpoint.id,
    conversationId: conversation.id,
    phone: '14155557001',
    actionId: action.id,
    mediaId: file.id,
    webhookId: records.data?.[0]?.id ?? 0,
  };
  for (const path of await pathsToRead(url)) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 1));
    await ask(`${filled}${neededQueries[path] ?? ''}`);
  }
  await ask(`/api/projects/${projectId}/webhook-endpoints/${endpoint.id}`, { method: 'DELETE' });
  await ask(`/api/saved-views/${view.id}`, { method: 'DELETE' });
  await ask(`/api/templates/${template.id}`, { method: 'DELETE' });
  await ask(`/api/flows/${flow.id}`, { method: 'DELETE' });
  await ask(`/api/profiles/${profile.id}`, { method: 'DELETE' });
  return answers;
}

type Document = { paths: Record<string, Record<string, unknown>> };

/** All that the release's own document says can be read; `/api/events` is a stream without an end. */
async function pathsToRead(url: string): Promise<string[]> {
  const { paths } = await get<Document>(call(url, '/api/openapi.json'));
  return Object.keys(paths).filter(
    (path) => 'get' in paths[path]! && path !== '/api/events' && !/connect|import$/.test(path),
  );
}

/** Goes round and round until it is ended, or meets a fault. A request that gets no answer is one. */
export function startTraffic(url: string, account: Account, name: string) {
  const faults: Answer[] = [];
  let isEnded = false;
  let rounds = 0;
  const going = (async () => {
    while (!isEnded && faults.length === 0) {
      const answers = await goRound(url, account, `${name} ${rounds}`).catch((error: unknown): Answer[] => [
        { call: 'no answer', status: 599, text: String(error) },
      ]);
      faults.push(...answers.filter((answer) => answer.status >= 500 && !mayBeSilent(answer)));
      rounds += 1;
    }
  })();
  return {
    rounds: () => rounds,
    hasEnded: () => faults.length > 0,
    async end(): Promise<Answer[]> {
      isEnded = true;
      await going;
      return faults;
    },
  };
}
