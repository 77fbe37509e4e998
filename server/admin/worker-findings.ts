import type pg from 'pg';
import { leaseDurationMs } from '#server/modules/numbers/links/index.ts';
import { leaseEndSql } from '#server/modules/numbers/phones/index.ts';
import type { Finding } from './finding.ts';

const check = 'workers';

type Facts = { workers: number; filled: number; held: number; most: number; waiting: number };

/** Phones that want a session are only counted where no process has room, which is when somebody looks. */
const factsSql = `
  with living as (
    select held, most from phone_workers where seen_at > clock_timestamp() - ${leaseDurationMs} * interval '1 millisecond'
  ), sums as (
    select count(*)::int as workers, count(*) filter (where held >= most)::int as filled,
           coalesce(sum(held), 0)::int as held, coalesce(sum(most), 0)::int as most from living
  )
  select *, case when workers > 0 and filled = workers then (
           select count(*)::int from phones p
            where (p.wanted <> 'offline' or p.sign_out_requested)
              and not exists (select from phone_leases l where l.phone_id = p.id and ${leaseEndSql()} > clock_timestamp())
         ) else 0 end as waiting
    from sums`;

/** Whether the processes that hold phones have room for more. */
export async function workerFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Facts>(factsSql);
  const { workers = 0, filled = 0, held = 0, most = 0, waiting = 0 } = rows[0] ?? {};
  if (workers === 0)
    return [{ check, state: 'warning', found: 'none runs', remedy: 'Start a process with ROLES=worker' }];
  const found = `${workers} hold ${held} phones of ${most} that they may`;
  if (filled < workers) return [{ check, state: 'ok', found }];
  return [
    {
      check,
      state: waiting > 0 ? 'failed' : 'warning',
      found: `${found}; ${waiting} phones wait for one with room`,
      remedy: 'Start another worker, or raise MAX_PHONES where there is memory',
    },
  ];
}
