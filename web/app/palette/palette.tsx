import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useIsNarrowed, useProjectLimit, useSession } from '#web/shared/session.ts';
import { useTheme } from '#web/shared/theme.ts';
import { CommandMenu, type CommandGroup } from '#web/shared/ui/command-menu.tsx';
import { actionCommands, createCommands, pageCommands, settingsCommands, type Command } from './commands.tsx';
import { rankCommands } from './rank-commands.ts';
import { recentCommands, rememberCommand, type RecentCommand } from './recent-commands.ts';
import { useNumberCommands } from './use-number-commands.tsx';
import { useFoundCommands } from './use-found-commands.tsx';

/** Goes anywhere and starts anything from the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const { user, currentProjectId } = useSession();
  const theme = useTheme();
  const navigate = useNavigate();
  const found = useFoundCommands(query);
  const recent = user === null ? [] : recentCommands(user.id);
  const { projects } = found;
  const numbers = useNumberCommands(query, currentProjectId);

  const can = useCan();
  const isNarrowed = useIsNarrowed();
  const canCreate = projects.length < useProjectLimit();
  const isAllowed = ({ needs, acrossProjects }: Command) =>
    (needs === undefined || can(needs)) && !(acrossProjects && isNarrowed);
  const pages = pageCommands(navigate, currentProjectId).filter(isAllowed);
  const creations = createCommands(navigate, { current: currentProjectId, canCreate }).filter(isAllowed);
  const settings = settingsCommands(navigate).filter(isAllowed);
  const actions = actionCommands(theme);
  const known = [...pages, ...creations, ...settings, ...actions, ...projects];
  const isIdle = query.trim() === '';
  const groups = isIdle
    ? [
        { label: 'Recent', commands: recentOf(recent, known, found.recent) },
        { label: 'Go to', commands: [...pages, ...projects] },
        { label: 'Create', commands: creations },
        { label: 'Actions', commands: actions },
      ]
    : [
        ...rankGroups(known, query, recent),
        // Found by the server.
        ...found.groups,
        { label: 'Write', commands: can('messages:send') ? numbers : [] },
      ];

  function handleChoose(command: Command): void {
    const { id, label } = command;
    // Typed text stays out of the browser's storage.
    const isKept = id !== 'log-out' && !/^(?:message|write):/.test(id);
    if (user !== null && isKept) rememberCommand(user.id, { id, label });
    command.run();
  }

  return (
    <CommandMenu
      onClose={onClose}
      label="Command palette"
      placeholder="Search pages, people and actions"
      query={query}
      onQuery={setQuery}
      groups={groups.filter(({ commands }) => commands.length > 0)}
      onChoose={handleChoose}
      busy={found.isSearching ? 'Searching...' : undefined}
      problem={found.hasFailed ? 'Not everything could be searched. Try again in a moment.' : undefined}
      empty={`Nothing matches “${query.trim()}”`}
    />
  );
}

/** Recent commands that can still be run. */
function recentOf(
  recent: readonly RecentCommand[],
  known: readonly Command[],
  recentThing: (recent: RecentCommand) => Command | undefined,
): Command[] {
  return recent.flatMap((chosen) => {
    const command = known.find(({ id }) => id === chosen.id);
    return command ?? recentThing(chosen) ?? [];
  });
}

const kinds: Record<string, string> = {
  page: 'Go to',
  new: 'Create',
  project: 'Projects',
  settings: 'Settings',
};

/** By kind, the kind of the best match first. */
function rankGroups(
  commands: readonly Command[],
  query: string,
  recent: readonly RecentCommand[],
): CommandGroup<Command>[] {
  const recentIds = recent.map(({ id }) => id);
  const groups = Map.groupBy(
    rankCommands(commands, query, recentIds),
    ({ id }) => kinds[id.split(':', 1)[0] ?? ''] ?? 'Actions',
  );
  return [...groups].map(([label, found]) => ({ label, commands: found }));
}
