import { afterEach, expect, test } from 'vitest';
import { createFlow, getFlow, runFlow } from '#contracts/flows.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { ChaosScene, CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';

/** `npm run chaos -- flow` is the long way. */
const kills = Number(process.env['CHAOS_ROUNDS'] ?? 3);
const seed = Number(process.env['SEED'] ?? 20_260_303);
const random = createRandom(seed);
const profileCount = kills > 3 ? 2_000 : 300;
/** Of one flow: the next begins with none. */
const mostKillsOfOne = 5;
const longestLifeMs = 1_500;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

/** The flow's rows: a single row for each profile, whatever happened, and none still open. */
async function stateOf({ database }: ChaosScene, flowId: number) {
  const { rows } = await database.pool.query(
    `select (select count(*) from messages where flow_id = $1) as messages,
            (select count(distinct profile_id) from messages where flow_id = $1) as recipients,
            (select count(*) from flow_deliveries where flow_id = $1) as deliveries,
            (select count(distinct message_id) from flow_deliveries where flow_id = $1 and status = 'sent') as sent,
            (select count(*) from flow_profiles where flow_id = $1 and last_at < 'infinity') as had`,
    [flowId],
  );
  return rows[0] as Record<string, number>;
}

async function makeFlow(api: ApiClient, projectId: number, active: boolean): Promise<number> {
  const { body } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId, message: 'Hello {name}' },
      frequency: { type: 'once_per_hours', value: 1 },
      active,
    },
  });
  return body.id;
}

test(`kill -9 amid flows over ${profileCount} profiles, ${kills} times (SEED=${seed}): one message to each`, async () => {
  const on = await makeChaosScene(cleanUp);
  let product = await on.start();
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  for (let phone = 0; phone < 2; phone += 1) {
    await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  }
  await insertProfiles(on.database.pool, customer.id, profileCount);
  for (let killed = 0; killed < kills;) {
    const apiOf = ({ url }: Product) => createApiClient(url, { authorization: customer.token });
    const isByItself = random.chance(0.5);
    const flowId = await makeFlow(apiOf(product), project.id, isByItself);
    const run = (of: Product) => apiOf(of).call(runFlow, { params: { flowId } });
    // A run that is cut off is nobody's to wait for.
    const pressRun = (of: Product) => void run(of).catch(() => undefined);
    const countsOf = async (of: Product) => (await apiOf(of).call(getFlow, { params: { flowId } })).body.counts;
    if (!isByItself) pressRun(product);
    const disturbed = await killOverAndOver({
      product,
      async start() {
        const next = await on.start();
        if (!isByItself && random.chance(0.5)) pressRun(next);
        return next;
      },
      random,
      kills: Math.min(kills - killed, 1 + random.below(mostKillsOfOne)),
      longestLifeMs,
      progress: async (living) => (await countsOf(living)).sent / profileCount,
    });
    product = disturbed.product;
    killed += disturbed.killed;
    if (!isByItself) await Promise.all([1, 2, 3].map(() => run(product)));
    await expect
      .poll(() => countsOf(product), { timeout: 120_000, interval: 250 })
      .toMatchObject({ waiting: 0, sent: profileCount, failed: 0, skipped: 0 });
    expect(await stateOf(on, flowId)).toEqual({
      messages: profileCount,
      recipients: profileCount,
      deliveries: profileCount,
      sent: profileCount,
      had: profileCount,
    });
  }
}, 1_800_000);
