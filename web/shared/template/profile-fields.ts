import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { placeholdersOf } from '#contracts/template.ts';
import type { ProfileField } from '#contracts/profiles.ts';
import { callApi } from '../api.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';
import { isReadable, pathsOf } from './placeholders.ts';

/** As many as the server tells at once. */
const limit = 100;
const maxSearchLength = 100;
const pauseMs = 400;

function profileFieldsQuery(search: string) {
  return queryOptions({
    queryKey: [...queryKeys.profileFields, { search, limit }],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/profile-fields', { query: { search, limit } }, { signal })).data,
    placeholderData: noPlaceholder,
  });
}

/** The account's fields whose path contains `search`, columns first; those found before until they are there. */
export function useProfileFields(search = ''): readonly ProfileField[] {
  return useQuery({ ...profileFieldsQuery(search), placeholderData: keepPreviousData }).data ?? [];
}

/**
 * The placeholders of the template that no profile can fill, once typing pauses. Where the account has more fields
 * than one answer holds, those are asked for by name; what is not known for sure is left out.
 */
export function useUnknownPlaceholders(template: string): readonly string[] {
  const names = placeholdersOf(useDebounced(template, pauseMs));
  const { data: fields } = useQuery(profileFieldsQuery(''));
  const missing = fields === undefined ? [] : names.filter((name) => !isFilledBy(fields, name));
  const isWhole = fields !== undefined && fields.length < limit;
  const lookups = useQueries({
    queries: (isWhole ? [] : missing).map((name) => profileFieldsQuery(name.slice(0, maxSearchLength))),
  });
  if (isWhole) return missing;
  return missing.filter((name, index) => {
    const found = lookups[index]?.data;
    return found !== undefined && found.length < limit && !isFilledBy(found, name);
  });
}

function isFilledBy(fields: readonly ProfileField[], name: string): boolean {
  const paths = pathsOf(name);
  return fields.some((field) => paths.includes(field.path) && isReadable(field));
}
