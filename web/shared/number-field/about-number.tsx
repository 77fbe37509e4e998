import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import { OctagonX, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { connectorTraits, type ConnectorName } from '#contracts/connectors.ts';
import { callApi } from '../api.ts';
import { useNumberPlans } from '../number-plans.ts';
import { usePhoneFormat } from '../phone-format.ts';
import { noPlaceholder, phoneNumbersQuery, queryKeys } from '../queries.ts';
import { formatLongDate } from '../time-format.ts';
import { Spinner } from '../ui/spinner.tsx';
import { useDebounced } from '../use-debounced.ts';
import { readTyped } from './read-typed.ts';

/** A pause in typing, after which the number is complete. */
const pauseMs = 800;

type AboutNumberProps = { projectId: number | undefined; number: string };

/** Says of a number in full whether it has opted out, and whether it is on WhatsApp, where a linked phone of the project can ask. */
export function AboutNumber({ projectId, number }: AboutNumberProps) {
  const plans = useNumberPlans();
  const format = usePhoneFormat();
  const settled = useDebounced(number, pauseMs);
  const reading = plans && readTyped({ text: settled, country: null, defaultCountry: null }, plans);
  const isComplete = settled === number && number.startsWith('+') && reading?.kind === 'read';
  const { optedOutAt, isOptOutKnown } = useOptOut(settled, isComplete);
  const check = useCheck({ projectId, number: settled, isWanted: isComplete && isOptOutKnown && !optedOutAt });
  return (
    <div role="status" className="text-13 empty:hidden">
      {isComplete && optedOutAt !== undefined && (
        <Warning icon={OctagonX} className="text-red-ink">
          Opted out on {formatLongDate(optedOutAt)}. Only a person in the inbox may answer.
        </Warning>
      )}
      {check.isFetching && (
        <p className="flex items-center gap-1.5 text-muted">
          <Spinner className="size-3.5" />
          Looking whether it is on WhatsApp
        </p>
      )}
      {isComplete && check.data?.exists === false && (
        <Warning icon={TriangleAlert}>
          <span dir="ltr">{format(settled.slice(1))}</span> is not on WhatsApp.
        </Warning>
      )}
    </div>
  );
}

/** An opt-out from marketing alone does not stop a single message, and is not told. */
function useOptOut(number: string, isWanted: boolean) {
  const { data, isError } = useQuery({
    queryKey: [...queryKeys.suppressions, number],
    queryFn: ({ signal }) => callApi('GET /api/suppressions/{phone}', { params: { phone: number } }, { signal }),
    enabled: isWanted,
    retry: false,
    placeholderData: noPlaceholder,
  });
  const optedOutAt = data?.suppression?.topic === '*' ? data.suppression.opted_out_at : undefined;
  // A member whose role reads no opt-outs can still be told whether the number exists.
  return { optedOutAt, isOptOutKnown: data !== undefined || isError };
}

/** A simulated network knows nobody. */
const canAsk = (connector: ConnectorName) =>
  connectorTraits[connector].answersQuestions && !connectorTraits[connector].isSimulated;

function useCheck({ projectId, number, isWanted }: AboutNumberProps & { isWanted: boolean }) {
  const phones = useQuery({ ...phoneNumbersQuery(projectId ?? 0), enabled: isWanted && projectId !== undefined });
  const phone = phones.data?.find(({ is_connected, connector }) => is_connected && canAsk(connector));
  return useQuery({
    queryKey: queryKeys.numberCheck(phone?.id ?? 0, number),
    queryFn: ({ signal }) =>
      callApi(
        'GET /api/phone-numbers/{phoneId}/check',
        { params: { phoneId: phone?.id ?? 0 }, query: { number } },
        { signal },
      ),
    enabled: isWanted && phone !== undefined,
    staleTime: Infinity,
    retry: false,
    placeholderData: noPlaceholder,
  });
}

type WarningProps = { icon: LucideIcon; className?: string; children: ReactNode };

const Warning = ({ icon: Icon, className = 'text-yellow-ink', children }: WarningProps) => (
  <p className={clsx('flex gap-1.5', className)}>
    <Icon aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
    <span>{children}</span>
  </p>
);
