import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { queryKeys } from '../queries.ts';

const fieldNamesQuery = {
  queryKey: [...queryKeys.profileFields, 'names'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data } = await callApi('GET /api/fields', { query: { limit: 100 } }, { signal });
    return new Map(data.flatMap(({ path, label }) => (label === null ? [] : [[path, label] as const])));
  },
  staleTime: 60_000,
};

/** The path of a custom field by its keys: `plan.name` */
export const customPath = (keys: string) => `custom_fields.${keys}`;

/** The names that people gave to fields, as far as they have loaded; asked for where one of these is a custom field. */
export function useFieldNames(paths: readonly string[]): (path: string) => string | undefined {
  const enabled = paths.some((path) => path.startsWith('custom_fields.'));
  const { data } = useQuery({ ...fieldNamesQuery, enabled });
  return (path) => data?.get(path);
}
