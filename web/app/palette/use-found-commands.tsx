import { skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Box,
  FileSpreadsheet,
  Inbox,
  Megaphone,
  MessageSquare,
  NotepadText,
  Shapes,
  Smartphone,
  UserRound,
  Workflow,
} from 'lucide-react';
import type { Permission } from '#contracts/permissions.ts';
import { callApi } from '#web/shared/api.ts';
import { hasPart } from '#web/shared/fold-text.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';
import type { Command } from './commands.tsx';
import type { RecentCommand } from './recent-commands.ts';

const pauseMs = 200;
const mostOfAKind = 6;
const longestLabel = 80;

/** The kinds of objects that the server searches, in the order in which they are listed. */
const kinds = [
  'campaign',
  'flow',
  'bulk_run',
  'segment',
  'template',
  'phone',
  'profile',
  'conversation',
  'message',
] as const;
type Kind = (typeof kinds)[number];

/** The permission to read each. */
const permissions: Record<Kind, Permission> = {
  campaign: 'campaigns:read',
  flow: 'campaigns:read',
  bulk_run: 'campaigns:read',
  segment: 'contacts:read',
  template: 'templates:read',
  phone: 'phones:read',
  profile: 'contacts:read',
  conversation: 'messages:read',
  message: 'messages:read',
};

type FoundThing = { id: number; label: string; aside?: string };
export type FoundGroup = { label: string; commands: Command[] };

const labels: Record<Kind, string> = {
  campaign: 'Automations',
  flow: 'Flows',
  bulk_run: 'Bulk runs',
  segment: 'Segments',
  template: 'Templates',
  phone: 'Phone numbers',
  profile: 'Profiles',
  conversation: 'Inbox',
  message: 'Messages',
};

const icons: Record<Kind, React.ReactNode> = {
  campaign: <Megaphone />,
  flow: <Workflow />,
  bulk_run: <FileSpreadsheet />,
  segment: <Shapes />,
  template: <NotepadText />,
  phone: <Smartphone />,
  profile: <UserRound />,
  conversation: <Inbox />,
  message: <MessageSquare />,
};

/** The account's own things as commands: projects by their name, all others as the server finds them. */
export function useFoundCommands(query: string) {
  const { data: projects = [] } = useQuery(projectsQuery());
  const navigate = useNavigate();
  const can = useCan();
  const found = useFound(query.trim());
  const go = (kind: Kind, id: number) => () => void navigate(placeOf(kind, id));

  return {
    projects: projects.map(({ id, name }): Command => ({
      id: `project:${id}`,
      label: name,
      words: 'project',
      icon: <Box />,
      run: () => void navigate({ to: paths.project, params: { projectId: String(id) } }),
    })),
    groups: kinds.map((kind, index): FoundGroup => ({
      label: labels[kind],
      commands: (found.things[index] ?? []).map(({ id, label, aside }) => ({
        id: `${kind}:${id}`,
        label,
        ...(aside !== undefined && { aside }),
        icon: icons[kind],
        run: go(kind, id),
      })),
    })),
    isSearching: found.isSearching,
    hasFailed: found.hasFailed,
    /** A recent command; it is not listed unless it is searched for. */
    recent: ({ id, label }: RecentCommand): Command | undefined => {
      const [name, number] = id.split(':', 2);
      const kind = kinds.find((known) => known === name && can(permissions[known]));
      return kind && { id, label, icon: icons[kind], run: go(kind, Number(number)) };
    },
  };
}

function placeOf(kind: Kind, id: number) {
  switch (kind) {
    case 'campaign':
      return { to: paths.campaign, params: { campaignId: String(id) } } as const;
    case 'flow':
      return { to: paths.flow, params: { flowId: String(id) } } as const;
    case 'bulk_run':
      return { to: paths.bulkRun, params: { runId: String(id) } } as const;
    case 'segment':
      return { to: paths.segment, params: { segmentId: String(id) } } as const;
    case 'template':
      return { to: paths.templates, search: { edit: id } } as const;
    case 'phone':
      return { to: paths.phone, params: { phoneId: String(id) } } as const;
    case 'profile':
      return { to: paths.profile, params: { profileId: String(id) } } as const;
    case 'conversation':
      return { to: paths.inbox, search: { status: 'all', conversation: id } } as const;
    case 'message':
      return { to: paths.messages, search: { message: id } } as const;
  }
}

function useFound(text: string) {
  const search = useDebounced(text, pauseMs);
  const can = useCan();
  const format = usePhoneFormat();
  const query = { page: 1, pageSize: mostOfAKind, search };
  type Ask = (signal: AbortSignal) => Promise<FoundThing[]>;
  const asks: Record<Kind, Ask> = {
    campaign: async (signal) =>
      (await callApi('GET /api/campaigns', { query }, { signal })).data.map(({ id, name, status }) => ({
        id,
        label: name,
        aside: statusWord(status),
      })),
    flow: async (signal) =>
      (await callApi('GET /api/flows', { query }, { signal })).data.map(({ id, name, active }) => ({
        id,
        label: name,
        aside: active ? 'Active' : 'Inactive',
      })),
    bulk_run: async (signal) =>
      (await callApi('GET /api/bulk-runs', { query }, { signal })).data.map(({ id, name, status }) => ({
        id,
        label: name,
        aside: statusWord(status),
      })),
    segment: async (signal) =>
      (await callApi('GET /api/segments', { query }, { signal })).data.map(({ id, name }) => ({ id, label: name })),
    template: async (signal) =>
      (await callApi('GET /api/templates', { query }, { signal })).data.map(({ id, name }) => ({ id, label: name })),
    phone: async (signal) =>
      (await callApi('GET /api/phone-numbers', { query }, { signal })).data.map(({ id, name, phone_number }) => ({
        id,
        label: name || format(phone_number),
        ...(name && { aside: format(phone_number) }),
      })),
    profile: async (signal) =>
      (await callApi('GET /api/profiles', { query }, { signal })).data.map(({ id, name, phone }) => ({
        id,
        label: name ?? format(phone),
        ...(name !== null && { aside: format(phone) }),
      })),
    conversation: async (signal) => {
      const { data } = await callApi('GET /api/conversations', { query: { search, limit: mostOfAKind } }, { signal });
      return data.map(({ id, phone, name }) => ({
        id,
        label: name ?? (phone === null ? 'Unknown number' : format(phone)),
        ...(name !== null && phone !== null && { aside: format(phone) }),
      }));
    },
    message: async (signal) => {
      const { data } = await callApi('GET /api/messages', { query: { search, limit: mostOfAKind } }, { signal });
      return data.map(({ id, message, type, direction, to, from }) => ({
        id,
        label: message.trim().slice(0, longestLabel) || statusWord(type),
        aside: format((direction === 'outgoing' ? to : from) ?? ''),
      }));
    },
  };
  const keys = {
    campaign: queryKeys.campaigns,
    flow: queryKeys.flows,
    bulk_run: queryKeys.bulkRuns,
    segment: queryKeys.segments,
    template: queryKeys.templates,
    phone: ['phone-numbers'],
    profile: queryKeys.profiles,
    conversation: queryKeys.conversations,
    message: queryKeys.allMessages,
  };
  const results = useQueries({
    queries: kinds.map((kind) => ({
      queryKey: [...keys[kind], 'found', search],
      queryFn:
        search === '' || !can(permissions[kind])
          ? skipToken
          : ({ signal }: { signal: AbortSignal }) => asks[kind](signal),
    })),
  });
  const isAsking = results.some(
    ({ isFetching, isPlaceholderData, data }) => isFetching && (data === undefined || isPlaceholderData),
  );
  return {
    things:
      text === ''
        ? []
        : results.map(({ data = [], isPlaceholderData }) =>
            // Some are of the query before: Enter, pressed at once, opens none that nobody looked for.
            text === search && !isPlaceholderData
              ? data
              : data.filter(({ label, aside = '' }) => hasPart(`${label} ${aside}`, text)),
          ),
    isSearching: text !== '' && (text !== search || isAsking),
    hasFailed: text !== '' && results.some(({ error }) => error !== null),
  };
}
