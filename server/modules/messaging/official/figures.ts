import { connectorTraits } from '#contracts/connectors.ts';
import type { OfficialFigures } from '#contracts/official-figures.ts';
import type { AccountContext } from '#server/context.ts';
import { countUnreadShutting, findFirstAnswers } from '#server/modules/messaging/conversations/index.ts';
import { countsOfPhone, templateCountsOfPhone } from '#server/modules/messaging/counts/index.ts';
import { countWindows, getPhone, notOfficial } from '#server/modules/numbers/phones/index.ts';

const dayMs = 86_400_000;

/** How a number of the official API fares. Throws 404, and 409 `not_an_official_number`. */
export async function getFigures(ctx: AccountContext, phoneId: number): Promise<OfficialFigures> {
  const { connector } = await getPhone(ctx, phoneId);
  if (connectorTraits[connector].link !== 'credentials') throw notOfficial();
  const now = ctx.clock.now().getTime();
  const [windows, unread, answers, messages, templates] = await Promise.all([
    countWindows(ctx, phoneId),
    countUnreadShutting(ctx, phoneId),
    findFirstAnswers(ctx, { phoneId, since: new Date(now - 7 * dayMs) }),
    countsOfPhone(ctx, { phoneId, since: new Date(now - dayMs) }),
    templateCountsOfPhone(ctx, { phoneId, since: new Date(now - 7 * dayMs) }),
  ]);
  return {
    windows: { ...windows, unread_within_hour: unread },
    first_answers_7d: answers,
    sent_24h: messages.sent,
    delivered_24h: messages.delivered,
    templates_delivered_7d: templates.delivered,
    templates_read_7d: templates.read,
  };
}
