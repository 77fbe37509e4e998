import type { BulkRun, NewBulkRun } from '#contracts/bulk-runs.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeCarried } from '#server/modules/messaging/media/index.ts';
import { requireNumbers } from '#server/modules/numbers/reading/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { takeTemplate } from '#server/modules/outreach/recipients/index.ts';
import { localDay } from '#server/platform/wall-clock.ts';
import { insertDraft } from './insert-draft.ts';
import { presentBulkRun } from './present.ts';
import { announceBulkRun, getBulkRunRow } from './queries.ts';
import { insertRows } from './rows/insert-rows.ts';
import type { NewRow } from './rows/insert-rows.ts';

/**
 * A draft, with the rows of the body; nothing is sent before it is started. Throws 422 `number_not_clear` for the first
 * row whose number is not.
 */
export async function createBulkRun(ctx: AccountContext, input: NewBulkRun): Promise<BulkRun> {
  const numbers = await requireNumbers(
    ctx,
    (input.rows ?? []).map(({ to }, index) => ({ ...to, path: `rows.${index}.to` })),
  );
  return inTransaction(ctx, async (tx) => {
    await holdProject(tx, input.project_id);
    const media = input.media ? await takeCarried(tx, { media: input.media }) : null;
    const template = await takeTemplate(tx, { projectId: input.project_id, template: input.template });
    const rows = (input.rows ?? []).map(({ fields }, index) => toRow(numbers[index] ?? '', fields, index));
    const columns = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields)))];
    const id = await insertDraft(tx, {
      project_id: input.project_id,
      name: input.name ?? `Bulk send, ${localDay(tx.clock.now(), tx.account.timezone)}`,
      message: input.message ?? '',
      media,
      template,
      delay_ms: input.delay_ms,
      columns,
      topicId: input.topic_id ?? null,
      total_count: rows.length,
    });
    await insertRows(tx, { runId: id, uploadNumber: 0 }, rows);
    await announceBulkRun(tx, { accountId: tx.account.id, runId: id });
    return presentBulkRun(await getBulkRunRow(tx, id));
  });
}

function toRow(to: string, fields: Readonly<Record<string, string>>, index: number): NewRow {
  const named = Object.entries(fields).map(([name, value]) => [name.trim().toLowerCase(), value] as const);
  return { row: index + 1, to, isValid: true, fields: { phone: to, ...Object.fromEntries(named) } };
}
