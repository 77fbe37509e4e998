import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { callApi } from '../api.ts';
import { useNumberPlans } from '../number-plans.ts';
import { usePhoneFormat } from '../phone-format.ts';
import { noPlaceholder, phoneNumbersQuery, queryKeys } from '../queries.ts';
import { Spinner } from '../ui/spinner.tsx';
import { useDebounced } from '../use-debounced.ts';
import { readTyped } from './read-typed.ts';

/** A pause in typing, after which the number is complete. */
const pauseMs = 800;

/** Says of a number in full whether it is on WhatsApp, where a linked phone of the project can ask. */
export function OnWhatsApp({ projectId, number }: { projectId: number; number: string }) {
  const plans = useNumberPlans();
  const format = usePhoneFormat();
  const settled = useDebounced(number, pauseMs);
  const phones = useQuery(phoneNumbersQuery(projectId));
  const phone = phones.data?.find(({ is_connected, connector }) => is_connected && connector === 'whatsapp');
  const reading = plans && readTyped({ text: settled, country: null, defaultCountry: null }, plans);
  const isComplete = settled === number && number.startsWith('+') && reading?.kind === 'read';
  const check = useQuery({
    queryKey: queryKeys.numberCheck(phone?.id ?? 0, settled),
    queryFn: ({ signal }) =>
      callApi(
        'GET /api/phone-numbers/{phoneId}/check',
        { params: { phoneId: phone?.id ?? 0 }, query: { number: settled } },
        { signal },
      ),
    enabled: isComplete && phone !== undefined,
    staleTime: Infinity,
    retry: false,
    placeholderData: noPlaceholder,
  });
  return (
    <div role="status" className="text-13 empty:hidden">
      {check.isFetching && (
        <p className="flex items-center gap-1.5 text-muted">
          <Spinner className="size-3.5" />
          Looking whether it is on WhatsApp
        </p>
      )}
      {isComplete && check.data?.exists === false && (
        <p className="flex gap-1.5 text-yellow-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          <span>
            <span dir="ltr">{format(settled.slice(1))}</span> is not on WhatsApp.
          </span>
        </p>
      )}
    </div>
  );
}
