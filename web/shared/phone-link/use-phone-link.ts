import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LinkState } from '#contracts/phone-numbers.ts';
import { callApi } from '../api.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';
import { isOver, linkProgress, nextAskMs, pollMs } from './link-progress.ts';

const giveUpMs = 5 * 60_000;

/** A phone of a project; without `phoneId` the project's first, whose number may be known only once it has scanned. */
export type LinkTarget = { projectId: number; phoneId?: number | undefined };

function connect({ projectId, phoneId }: LinkTarget, signal: AbortSignal): Promise<LinkState> {
  return phoneId === undefined
    ? callApi('GET /api/projects/{projectId}/connect', { params: { projectId } }, { signal })
    : callApi('GET /api/phone-numbers/{phoneId}/connect', { params: { phoneId } }, { signal });
}

/** Links a phone and follows it until it is connected, has failed, or five minutes have passed. */
export function usePhoneLink(target: LinkTarget, attempt: number) {
  const [hasOfferedCode, setOfferedCode] = useState(false);
  const [hasGivenUp, setGivenUp] = useState(false);
  const [hasEnded, setEnded] = useState(false);

  const link = useQuery({
    queryKey: ['phone-link', target, attempt],
    queryFn: ({ signal }) => connect(target, signal),
    // Asking again after a failure would start anew and wipe its reason.
    enabled: !hasEnded,
    retry: false,
    gcTime: 0,
    placeholderData: noPlaceholder,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data ? nextAskMs(state.data, Date.now()) : false),
  });
  const phoneId = link.data?.phone_id;

  // Live events refetch what is cached under this key; the interval stands in for them.
  const phones = useQuery({
    queryKey: [...queryKeys.phoneNumbers(target.projectId), 'link', attempt],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/projects/{projectId}/phone-numbers', { params: target }, { signal })).data,
    enabled: phoneId !== undefined && !hasEnded,
    gcTime: 0,
    placeholderData: noPlaceholder,
    refetchInterval: pollMs,
  });
  const phone = phones.data?.find(({ id }) => id === phoneId);

  useEffect(() => {
    const timer = setTimeout(() => setGivenUp(true), giveUpMs);
    return () => clearTimeout(timer);
  }, []);

  const progress = linkProgress({ answer: link.data, error: link.error, hasOfferedCode, phone, hasGivenUp });
  if (progress.step === 'code' && !hasOfferedCode) setOfferedCode(true);
  if (isOver(progress) && !hasEnded) setEnded(true);
  return { progress, phone };
}
