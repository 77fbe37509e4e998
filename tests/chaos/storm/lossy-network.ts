import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';

/** Loses all packets to and from an address, as where a cable is pulled: nobody is refused, and what was sent comes late. */
export type LossyNetwork = {
  addressOf(worker: number): string;
  lose(address: string): Promise<void>;
  deliver(address: string): Promise<void>;
};

const run = promisify(execFile);
const ip = (command: string) => run('ip', command.split(' '));

/** Nobody reads what comes out of the other end of this pair. */
const abyss = ['lost0', 'lost1'] as const;
const abyssTable = 77;

/**
 * Has `workers` addresses of its own; undefined where this is the network of the machine, whose routes are not ours to
 * change, or where the tools are missing.
 */
export async function openLossyNetwork(workers: number): Promise<LossyNetwork | undefined> {
  const isOwn = process.platform === 'linux' && Object.keys(networkInterfaces()).join() === 'lo';
  if (!isOwn) return undefined;
  const addressOf = (worker: number) => `10.77.0.${worker + 1}`;
  const [near, far] = abyss;
  try {
    // The routes to local addresses are asked first: they make room for rules before theirs.
    await ip('rule add pref 10 from all lookup local');
    await ip('rule del pref 0');
    await ip(`link add name ${near} type veth peer name ${far}`);
    for (const device of abyss) await ip(`link set ${device} up`);
    await ip(`route add default dev ${near} table ${abyssTable}`);
    for (let worker = 0; worker < workers; worker += 1) {
      await ip(`addr add ${addressOf(worker)}/32 dev lo`);
      await ip(`neigh add ${addressOf(worker)} lladdr 02:00:00:00:00:01 dev ${near} nud permanent`);
    }
  } catch {
    return undefined;
  }
  return {
    addressOf,
    lose: async (address) => void (await ip(`rule add pref 5 to ${address} lookup ${abyssTable}`)),
    deliver: async (address) => void (await ip(`rule del pref 5 to ${address} lookup ${abyssTable}`)),
  };
}
