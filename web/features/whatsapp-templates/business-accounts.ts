import { queryOptions, useQuery } from '@tanstack/react-query';
import { connectorsThat } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';

export type BusinessAccount = { id: string; name: string };

const [withTemplates] = connectorsThat(({ hasTemplates }) => hasTemplates);

function officialNumbersQuery() {
  return queryOptions({
    queryKey: [...queryKeys.phones, 'official'],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/phone-numbers', { query: { connector: withTemplates } }, { signal })).data,
  });
}

/** The business accounts whose numbers are connected, by name; `accounts` is undefined until they are loaded. */
export function useBusinessAccounts() {
  const format = usePhoneFormat();
  const { data, error, refetch } = useQuery(officialNumbersQuery());
  return { accounts: data && accountsOf(data, format), error, refetch };
}

function accountsOf(phones: readonly PhoneNumber[], format: (digits: string) => string): readonly BusinessAccount[] {
  const ids = [...new Set(phones.flatMap(({ cloud }) => cloud?.business_account_id ?? []))];
  return ids.map((id) => {
    const own = phones.filter(({ cloud }) => cloud?.business_account_id === id);
    return { id, name: own.map((phone) => nameOf(phone, format)).join(', ') };
  });
}

const nameOf = ({ cloud, name, phone_number: number }: PhoneNumber, format: (digits: string) => string) =>
  cloud?.facts?.verified_name ?? name ?? format(number);
