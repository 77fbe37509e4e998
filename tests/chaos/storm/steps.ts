import { expect } from 'vitest';
import { login } from '#contracts/accounts.ts';
import { measureAbuse } from './abuse.ts';
import { disturb } from './cluster.ts';
import type { Worker } from './cluster.ts';
import { brokenFiles, importFile, uploadFile } from './poisoned-files.ts';
import { serviceSteps } from './service-steps.ts';
import { forAMoment, othersProgress, restart, restartWith, workerOf } from './step.ts';
import type { Step } from './step.ts';
import { ownNumbers } from './storm-scene.ts';
import type { StormScene } from './storm-scene.ts';

async function whileStopped<T>({ product }: Worker, wait: () => Promise<T>): Promise<T> {
  process.kill(product.pid, 'SIGSTOP');
  try {
    return await wait();
  } finally {
    process.kill(product.pid, 'SIGCONT');
  }
}

/** Packets of meanwhile come once they are no longer lost. */
async function whilePacketsAreLost<T>(
  { cluster: { network } }: StormScene,
  { address }: Worker,
  wait: () => Promise<T>,
): Promise<T> {
  if (!network || address === undefined) throw new Error('No packets can be lost here');
  await network.lose(address);
  try {
    return await wait();
  } finally {
    await network.deliver(address);
  }
}

const aboutPackets: Omit<Step, 'run'> = {
  // The database's packets come late as well, and may break connections once all is well again.
  touchesDatabase: true,
  leavesConnections: true,
  isPossible: ({ network }) => network !== undefined,
};

const aboutMoves: Omit<Step, 'run'> = {
  touchesDatabase: true,
  isPossible: ({ moveCell }) => moveCell !== undefined,
};

const hasOwnWay: Step['isPossible'] = ({ moveCell }) => moveCell === undefined;

/** Waits until the phones of the stopped worker are with the others. */
async function untilPhonesAreAdopted({ cluster }: StormScene, worker: Worker): Promise<string> {
  const owner = await worker.owner();
  const held = async () => (await cluster.query('select from phone_leases where owner = $1', [owner])).length;
  const count = await held();
  await expect.poll(held, { timeout: 25_000, interval: 100 }).toBe(0);
  return `${count} phones`;
}

async function postLogin({ product }: Worker, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(product.url + login.path, { method: 'POST', headers, body });
}

const evilBodies = ['['.repeat(500_000), `${'['.repeat(500_000)}${']'.repeat(500_000)}`, '{"a":'.repeat(100_000)];

export const steps: Readonly<Record<string, Step>> = {
  'a worker is killed': {
    async run(scene, random) {
      const worker = workerOf(scene, random);
      await disturb(worker, async () => {
        await worker.product.kill();
        if (random.chance(0.5)) await othersProgress(scene);
        await worker.start();
      });
    },
  },
  'a worker is restarted': {
    async run(scene, random) {
      await restart(workerOf(scene, random));
    },
  },
  'a worker is stopped for a moment': {
    async run(scene, random) {
      const worker = workerOf(scene, random);
      return forAMoment(scene, worker, (wait) => whileStopped(worker, wait));
    },
  },
  'a worker is stopped until its phones are taken': {
    leavesConnections: true,
    async run(scene, random) {
      const worker = workerOf(scene, random);
      return disturb(worker, () => whileStopped(worker, () => untilPhonesAreAdopted(scene, worker)));
    },
  },
  'a worker is cut off from the database': {
    isPossible: hasOwnWay,
    async run(scene, random) {
      const worker = workerOf(scene, random);
      return disturb(worker, async () => {
        worker.toDatabase.fallSilent();
        const adopted = await untilPhonesAreAdopted(scene, worker);
        worker.toDatabase.cut();
        worker.toDatabase.recover();
        return adopted;
      });
    },
  },
  "a worker's packets are lost for a moment": {
    ...aboutPackets,
    async run(scene, random) {
      const worker = workerOf(scene, random);
      return forAMoment(scene, worker, (wait) => whilePacketsAreLost(scene, worker, wait));
    },
  },
  "a worker's packets are lost until its phones are taken": {
    ...aboutPackets,
    async run(scene, random) {
      const worker = workerOf(scene, random);
      return disturb(worker, () => whilePacketsAreLost(scene, worker, () => untilPhonesAreAdopted(scene, worker)));
    },
  },
  "a worker's connections break": {
    touchesDatabase: true,
    isPossible: hasOwnWay,
    async run(scene, random) {
      workerOf(scene, random).toDatabase.cut();
    },
  },
  'connections are terminated': {
    touchesDatabase: true,
    async run({ cluster }) {
      await cluster.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and ${cluster.connections}`,
      );
    },
  },
  'a backend of PostgreSQL is killed': {
    touchesDatabase: true,
    async run({ cluster }) {
      const [backend] = await cluster.query<{ pid: number }>(
        `select pid from pg_stat_activity where ${cluster.connections} order by random() limit 1`,
      );
      if (backend) process.kill(backend.pid, 'SIGKILL');
    },
  },
  'PostgreSQL is restarted': {
    touchesDatabase: true,
    run: ({ cluster }) => cluster.signalDatabase('SIGINT', 'postmaster'),
  },
  'PostgreSQL is killed': {
    touchesDatabase: true,
    run: ({ cluster }) => cluster.signalDatabase('SIGKILL', 'postmaster'),
  },
  'the standby becomes the primary': {
    touchesDatabase: true,
    isPossible: ({ failOver }) => failOver !== undefined,
    run: async ({ cluster }) => cluster.failOver?.(),
  },
  'the pooler is restarted': {
    touchesDatabase: true,
    isPossible: ({ restartPooler }) => restartPooler !== undefined,
    run: async ({ cluster }) => cluster.restartPooler?.(),
  },
  'the cell moves to another node': {
    ...aboutMoves,
    run: async ({ cluster }) => cluster.moveCell?.(),
  },
  'the cell moves as a worker is killed': {
    ...aboutMoves,
    async run({ cluster }, random) {
      const worker = random.pick(cluster.workers);
      await disturb(worker, async () => {
        const moving = cluster.moveCell?.();
        await worker.product.kill();
        await worker.start();
        await moving;
      });
    },
  },
  'the cell moves as a worker is stopped': {
    ...aboutMoves,
    leavesConnections: true,
    async run(scene, random) {
      const { cluster } = scene;
      const worker = workerOf(scene, random);
      await disturb(worker, () => whileStopped(worker, async () => cluster.moveCell?.()));
    },
  },
  'PostgreSQL hangs until it is noticed': {
    touchesDatabase: true,
    async run({ cluster }) {
      await cluster.signalDatabase('SIGSTOP', 'all');
      const [worker] = cluster.workers;
      const readiness = async () => (await fetch(`${worker?.product.url}/readyz`)).text();
      try {
        // By then each of them has given its leases up.
        await expect.poll(readiness, { timeout: 30_000 }).toContain('phones.renewing');
      } finally {
        await cluster.signalDatabase('SIGCONT', 'all');
      }
    },
  },
  "the database's disk is full": {
    touchesDatabase: true,
    isPossible: ({ fillDisk }) => fillDisk !== undefined,
    async run({ cluster, streams }) {
      const refusals = () => Math.min(...Object.values(streams).map((stream) => stream.refusals));
      const enough = refusals() + 20;
      const makeRoom = await cluster.fillDisk?.();
      try {
        await expect.poll(refusals, { timeout: 90_000, interval: 50 }).toBeGreaterThanOrEqual(enough);
      } finally {
        await makeRoom?.();
      }
    },
  },
  'a receipt holds a NUL': {
    async run({ whatsApp, streams }, random) {
      const [contact = ''] = [...streams.shop.accepted.values()].map(({ to }) => to).slice(-1);
      const own = random.pick(ownNumbers);
      await whatsApp.control.sendReceipt(contact, own, `3EB0${random.below(1e9)}\u0000`, 'delivered');
      const { arrivals } = await whatsApp.control.readContact(contact);
      const id = arrivals.at(-1)?.id;
      if (id !== undefined) await whatsApp.control.sendReceipt(contact, own, `${id}\u0000`, 'read');
    },
  },
  'a text holds what cannot be stored': {
    async run({ whatsApp, incoming }, random) {
      const text = `Incoming ${incoming.length}`;
      const poison = random.pick(['\u0000', '\ud800', '\u0000\ud83d', 'x'.repeat(70_000)]);
      const from = String(14_155_661_001 + random.below(50));
      await whatsApp.control.incoming({
        from,
        to: random.pick(ownNumbers),
        text: `${text} ${poison}`,
        name: `A${poison}`,
      });
      incoming.push(text);
    },
  },
  'a file has a broken row': {
    async run(scene, random) {
      const name = random.pick(Object.keys(brokenFiles));
      return `${name}: ${await importFile(workerOf(scene, random), scene.abuser, brokenFiles[name] ?? '')}`;
    },
  },
  'a body is evil': {
    async run(scene, random) {
      const worker = workerOf(scene, random);
      const answers = await Promise.all(evilBodies.map((body) => postLogin(worker, body)));
      for (const { status } of answers) expect([400, 413, 422, 429]).toContain(status);
    },
  },
  // The room for files is the bucket's: what is short here is the account's quota.
  'there is no room for files': {
    async run(scene, random) {
      const worker = workerOf(scene, random);
      await restartWith(scene, worker, {
        env: { UPLOAD_QUOTA_MIB: '0' },
        async meanwhile() {
          const answer = await uploadFile(worker, scene.abuser, 'Phone\n+14155550101\n');
          expect(answer.status).toBe(413);
        },
      });
    },
  },
  'a neighbour asks for too much': { run: measureAbuse },
  ...serviceSteps,
};
