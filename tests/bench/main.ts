import { benchArchive } from './archive.ts';
import { benchAudience } from './audience.ts';
import { withBench } from './bench.ts';
import { benchBulkSend } from './bulk-send.ts';
import { benchCampaigns } from './campaigns.ts';
import { benchCitus } from './citus.ts';
import { benchCloud } from './cloud.ts';
import { benchConditions } from './conditions.ts';
import { benchFairness } from './fairness.ts';
import { benchBatches } from './batches.ts';
import { benchGrowth } from './growth.ts';
import { benchIdlePhones } from './idle-phones.ts';
import { benchImportUpdates } from './import-updates.ts';
import { benchIncoming } from './incoming.ts';
import { benchInbox } from './inbox.ts';
import { benchLeases } from './leases.ts';
import { benchLists } from './lists.ts';
import { benchMedia } from './media.ts';
import { benchMessages } from './messages.ts';
import { benchOptOuts } from './opt-outs.ts';
import { benchOutbox } from './outbox.ts';
import { benchProfiles } from './profiles.ts';
import { benchRoles } from './roles.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWhatsApp } from './whatsapp.ts';

/**
 * Each part prints a table of its own; `npm run bench -- profiles` prints that one alone, and `fairness:exports` what it
 * has of that name.
 */
const parts: Readonly<Record<string, (only: readonly string[]) => Promise<readonly object[]>>> = {
  messages: () => withBench(benchMessages),
  batches: () => withBench(benchBatches),
  whatsapp: () =>
    withBench((bench) => benchWhatsApp((whatsAppUrl) => bench.start({}, whatsAppUrl), bench.connectionString)),
  incoming: () => withBench(benchIncoming),
  cloud: () => withBench(benchCloud),
  media: () => withBench(benchMedia),
  archive: () => withBench(benchArchive),
  'idle-phones': () => withBench((bench) => benchIdlePhones((whatsAppUrl) => bench.start({}, whatsAppUrl))),
  growth: () => withBench(benchGrowth),
  roles: () => withBench(benchRoles),
  webhooks: () => withBench(benchWebhooks),
  profiles: benchProfiles,
  'import-updates': () => withBench(benchImportUpdates),
  conditions: () => withBench(benchConditions),
  audience: (only) => withBench((bench) => benchAudience(bench, only)),
  leases: () => withBench(benchLeases),
  outbox: () => withBench(benchOutbox),
  lists: () => withBench(benchLists),
  inbox: () => withBench(benchInbox),
  fairness: (only) => withBench((bench) => benchFairness(bench, only)),
  campaigns: (only) => withBench((bench) => benchCampaigns(bench, only)),
  'opt-outs': () => withBench(benchOptOuts),
  'bulk-send': benchBulkSend,
  citus: benchCitus,
};

const wanted = process.argv.slice(2).map((argument) => argument.split(':') as [string, string?]);
const unknown = wanted.filter(([name]) => !(name in parts));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: use ${Object.keys(parts).join(', ')}`);
for (const [name, run] of Object.entries(parts)) {
  const asked = wanted.filter(([part]) => part === name);
  const isWhole = asked.some(([, only]) => only === undefined);
  if (wanted.length === 0 || asked.length > 0)
    console.table(await run(isWhole ? [] : asked.flatMap(([, only]) => only ?? [])));
}
