import type { CostEstimate } from '#contracts/costs.ts';
import type { AccountContext } from '#server/context.ts';
import { estimateCost } from '#server/modules/messaging/costs/index.ts';
import { templateFor } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { isWindowed } from '#server/modules/numbers/phones/index.ts';
import { findSenders } from './forecast-project.ts';
import type { LanguageGroup } from './review-template.ts';

type Reviewed = {
  projectId: number | undefined;
  bound: BoundSource | null;
  languages: readonly LanguageGroup[];
  groups: readonly { country: string | undefined; count: number }[];
};

/** The expected cost by the price list; null where a number of another kind may send. */
export async function reviewCost(
  ctx: AccountContext,
  { projectId, bound, languages, groups }: Reviewed,
): Promise<CostEstimate | null> {
  if (bound) {
    const priced = languages.flatMap(({ language, country, count }) => {
      const row = templateFor(bound, language);
      return row ? [{ country, count, category: row.category }] : [];
    });
    return estimateCost(ctx, priced);
  }
  const senders = projectId === undefined ? [] : await findSenders(ctx, projectId);
  if (senders.length === 0 || !senders.every(({ connector }) => isWindowed(connector))) return null;
  return estimateCost(
    ctx,
    groups.map(({ country, count }) => ({ country: country ?? null, count, category: 'service' })),
  );
}
