import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PhoneHistory } from '#contracts/phone-history.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';

const historyQuery = (phoneId: number) =>
  queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'history'],
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}/history', { params: { phoneId } }, { signal }),
    placeholderData: noPlaceholder,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 5_000 : false),
  });

/** How far the chats of before the link have come into the inbox; nothing where nobody wants them. */
export function HistoryCard({ phone }: { phone: PhoneNumber }) {
  const { data: history } = useQuery(historyQuery(phone.id));
  if (history === undefined || (history.state === 'none' && !history.is_wanted)) return null;
  const isShared = phone.cloud?.facts?.is_shared === true;
  return (
    <Card title="Earlier chats" flush>
      <div className="grid gap-3 px-4 py-4 text-13 sm:px-5">
        <p className="text-pretty text-muted">{isShared ? sharedWords(history) : words(history, phone.is_connected)}</p>
        {history.state === 'running' && (
          <Progress label="Earlier chats" sent={history.percent ?? 0} total={100}>
            <></>
          </Progress>
        )}
        {history.messages > 0 && (
          <p className="tabular-nums">
            {history.messages.toLocaleString('en')} messages of {history.chats.toLocaleString('en')} people ·{' '}
            <Link to="/inbox" className="font-medium text-accent-ink hover:underline">
              Open the inbox
            </Link>
          </p>
        )}
      </div>
    </Card>
  );
}

/** Of a number that stays in the Business app: its owner chose there, and Meta hands over once. */
function sharedWords({ state, percent }: PhoneHistory): string {
  switch (state) {
    case 'none':
      return 'The chats of the WhatsApp Business app come here once, if you chose to share them as you connected the number.';
    case 'running':
      return `The chats of the WhatsApp Business app come into the inbox${percent === null ? '' : `: ${percent} %`}.`;
    case 'done':
      return 'The chats of the last 30 days that you shared from the WhatsApp Business app are in the inbox.';
    case 'full':
      return 'The newest of the chats that you shared are in the inbox: there were more than are taken.';
    case 'incomplete':
      return 'Meta did not hand over all of the chats that you shared; those that came are in the inbox.';
  }
}

function words({ state, percent }: PhoneHistory, isConnected: boolean): string {
  switch (state) {
    case 'none':
      return isConnected
        ? 'The handset shares its chats only as it is linked: link the number anew to take them over.'
        : 'The chats of the last 30 days come into the inbox once the number is linked.';
    case 'running':
      return `The chats of the last 30 days come into the inbox${percent === null ? '' : `: ${percent} %`}.`;
    case 'done':
      return 'The chats of the last 30 days before the link are in the inbox.';
    case 'full':
      return 'The newest of the chats before the link are in the inbox: there were more than are taken.';
    case 'incomplete':
      return 'WhatsApp did not give all of the chats before the link; what it gave is in the inbox.';
  }
}
