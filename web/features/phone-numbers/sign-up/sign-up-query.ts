import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';

/** Whether numbers sign up by an app of the operator's, which changes with the server alone. */
export const signUpQuery = queryOptions({
  queryKey: ['official-sign-up'],
  queryFn: ({ signal }) => callApi('GET /api/official-sign-up', {}, { signal }),
  staleTime: Infinity,
});
