import type { useNavigate } from '@tanstack/react-router';
import {
  Activity,
  BadgeCheck,
  BellOff,
  BookOpen,
  Box,
  Coins,
  FileSpreadsheet,
  FileUp,
  FlaskConical,
  Gauge,
  History,
  Inbox,
  LayoutGrid,
  LogOut,
  Megaphone,
  MessagesSquare,
  Monitor,
  Moon,
  NotepadText,
  Plus,
  QrCode,
  Send,
  Settings,
  Shapes,
  ShieldCheck,
  Smartphone,
  Sun,
  Users,
  Workflow,
} from 'lucide-react';
import type { Permission } from '#contracts/permissions.ts';
import { paths, type StaticPath } from '#web/shared/paths.ts';
import { chooseTheme, type ThemeChoice } from '#web/shared/theme.ts';
import type { MenuCommand } from '#web/shared/ui/command-menu.tsx';
import { logOut } from '../log-out.ts';

export type Command = MenuCommand & {
  /** Other words that people look for it by. */
  words?: string;
  /** Left out for those whose role lacks it. */
  needs?: Permission;
  /** Left out for members narrowed to projects. */
  acrossProjects?: true;
  run: () => void;
};

export type Navigate = ReturnType<typeof useNavigate>;

const newState = { isNewWanted: true };

export function pageCommands(navigate: Navigate, projectId: number | null): Command[] {
  const go = (to: string) => () => void navigate({ to });
  const phones: Command = {
    id: 'page:phone-numbers',
    label: 'Phone numbers',
    words: 'connect whatsapp qr',
    icon: <Smartphone />,
    run: () => void navigate({ to: paths.phoneNumbers, params: { projectId: String(projectId) } }),
  };
  const connect: Command = {
    id: 'page:connect-number',
    label: 'Connect a number',
    words: 'whatsapp phone qr code official api meta sandbox link',
    needs: 'sandboxes:write',
    icon: <QrCode />,
    run: () => void navigate({ to: paths.connectNumber, params: { projectId: String(projectId) } }),
  };
  const sandbox: Command = {
    id: 'page:first-message',
    label: 'First message in the sandbox',
    words: 'try test handset get started',
    needs: 'messages:send',
    icon: <FlaskConical />,
    run: () => void navigate({ to: paths.firstMessage, params: { projectId: String(projectId) } }),
  };
  return [
    { id: 'page:dashboard', label: 'Dashboard', words: 'home send message', icon: <LayoutGrid />, run: go('/') },
    { id: 'page:projects', label: 'Projects', words: 'api key', icon: <Box />, run: go(paths.projects) },
    ...(projectId === null ? [] : [phones, connect, sandbox]),
    { id: 'page:inbox', label: 'Inbox', words: 'conversations chats replies', icon: <Inbox />, run: go(paths.inbox) },
    {
      id: 'page:messages',
      label: 'Messages',
      words: 'records sent received search',
      icon: <MessagesSquare />,
      run: go(paths.messages),
    },
    {
      id: 'page:bulk-send',
      label: 'Bulk send',
      words: 'csv file',
      needs: 'campaigns:write',
      icon: <Send />,
      run: go(paths.bulkSend),
    },
    {
      id: 'page:bulk-runs',
      label: 'Bulk runs',
      words: 'csv file history progress results',
      needs: 'campaigns:read',
      icon: <FileSpreadsheet />,
      run: go(paths.bulkRuns),
    },
    {
      id: 'page:templates',
      label: 'Templates',
      words: 'saved messages texts',
      needs: 'templates:read',
      icon: <NotepadText />,
      run: go(paths.templates),
    },
    {
      id: 'page:whatsapp-templates',
      label: 'WhatsApp templates',
      words: 'official api approved meta review',
      needs: 'templates:read',
      icon: <BadgeCheck />,
      run: go(paths.whatsappTemplates),
    },
    {
      id: 'page:profiles',
      label: 'Profiles',
      words: 'contacts people',
      needs: 'contacts:read',
      icon: <Users />,
      run: go(paths.profiles),
    },
    {
      id: 'page:import',
      label: 'Import profiles',
      words: 'csv',
      needs: 'contacts:write',
      icon: <FileUp />,
      run: go(paths.profileImport),
    },
    {
      id: 'page:segments',
      label: 'Segments',
      words: 'groups',
      needs: 'contacts:read',
      icon: <Shapes />,
      run: go(paths.segments),
    },
    {
      id: 'page:events',
      label: 'Events',
      words: 'track live tail',
      needs: 'contacts:read',
      acrossProjects: true,
      icon: <Activity />,
      run: go(paths.events),
    },
    {
      id: 'page:campaigns',
      label: 'Automations',
      words: 'campaigns',
      needs: 'campaigns:read',
      icon: <Megaphone />,
      run: go(paths.campaigns),
    },
    { id: 'page:flows', label: 'Flows', needs: 'campaigns:read', icon: <Workflow />, run: go(paths.flows) },
    {
      id: 'page:settings',
      label: 'Settings',
      words: 'account email password subscription plan',
      icon: <Settings />,
      run: go(paths.settings),
    },
    {
      id: 'page:security',
      label: 'Security',
      words: 'settings two-step sign-in passkeys second factor authenticator recovery codes',
      icon: <ShieldCheck />,
      run: go(paths.security),
    },
    {
      id: 'page:team',
      label: 'Team',
      words: 'settings people members roles invite',
      needs: 'team:read',
      icon: <Users />,
      run: go(paths.team),
    },
    {
      id: 'page:audit-log',
      label: 'Audit log',
      words: 'settings history who did what',
      needs: 'audit:read',
      icon: <History />,
      run: go(paths.auditLog),
    },
    {
      id: 'page:sending',
      label: 'Sending',
      words: 'settings caps frequency limits short links domain',
      needs: 'campaigns:write',
      acrossProjects: true,
      icon: <Gauge />,
      run: go(paths.sendingSettings),
    },
    {
      id: 'page:prices',
      label: 'Prices',
      words: 'settings price list cost money official api country category',
      needs: 'templates:read',
      icon: <Coins />,
      run: go(paths.prices),
    },
    {
      id: 'page:opt-out',
      label: 'Opt-out',
      words: 'settings suppression unsubscribe stop words opted out numbers do not contact',
      needs: 'contacts:write',
      icon: <BellOff />,
      run: go(paths.optOut),
    },
    ...(projectId === null
      ? []
      : [
          {
            id: 'page:developers',
            label: 'Developers',
            words: 'api keys webhooks endpoints deliveries requests log',
            icon: <Box />,
            run: () => void navigate({ to: paths.developers, params: { projectId: String(projectId) } }),
          },
        ]),
    {
      id: 'page:docs',
      label: 'Documentation',
      words: 'help guide reference api',
      icon: <BookOpen />,
      run: () => window.location.assign('/docs'),
    },
  ];
}

type Projects = {
  current: number | null;
  /** The account may have another. */
  canCreate: boolean;
};

export function createCommands(navigate: Navigate, { current, canCreate }: Projects): Command[] {
  const make = (to: string) => () => void navigate({ to, state: newState });
  const words = 'create add';
  const project: Command = {
    id: 'new:project',
    label: 'New project',
    words,
    needs: 'projects:write',
    icon: <Plus />,
    run: () => void navigate({ to: paths.newProject }),
  };
  const phone: Command = {
    id: 'new:phone',
    label: 'New phone number',
    words: `${words} connect`,
    needs: 'sandboxes:write',
    icon: <Plus />,
    run: () => void navigate({ to: paths.phoneNumbers, params: { projectId: String(current) }, state: newState }),
  };
  const message: Command = {
    id: 'new:message',
    label: 'New message',
    words: `${words} write send conversation chat`,
    needs: 'messages:send',
    icon: <Plus />,
    run: make(paths.inbox),
  };
  return [
    ...(canCreate ? [project] : []),
    ...(current === null ? [] : [phone, message]),
    {
      id: 'new:profile',
      label: 'New profile',
      words: `${words} contact`,
      needs: 'contacts:write',
      icon: <Plus />,
      run: make(paths.profiles),
    },
    {
      id: 'new:segment',
      label: 'New segment',
      words,
      needs: 'contacts:write',
      icon: <Plus />,
      run: make(paths.segments),
    },
    {
      id: 'new:campaign',
      label: 'New campaign',
      words: `${words} automation`,
      needs: 'campaigns:write',
      icon: <Plus />,
      run: make(paths.campaigns),
    },
    { id: 'new:flow', label: 'New flow', words, needs: 'campaigns:write', icon: <Plus />, run: make(paths.flows) },
    {
      id: 'new:whatsapp-template',
      label: 'New WhatsApp template',
      words: `${words} write approve`,
      needs: 'templates:write',
      icon: <Plus />,
      run: () => void navigate({ to: paths.newWhatsappTemplate }),
    },
  ];
}

type Section = { id: string; label: string; words: string; needs?: Permission; to?: StaticPath; hash: string };

/** Sections of the settings, by what is changed there; `hash` names a card. */
const sections: readonly Section[] = [
  { id: 'name', label: 'Change name', words: 'profile account', hash: 'profile' },
  { id: 'timezone', label: 'Change time zone', words: 'timezone hours day', hash: 'profile' },
  { id: 'email', label: 'Change email', words: 'address sign in', hash: 'sign-in' },
  { id: 'password', label: 'Change password', words: 'security sign in', hash: 'sign-in' },
  { id: 'api-key', label: 'API key', words: 'token regenerate developer secret', needs: 'keys:write', hash: 'api-key' },
  {
    id: 'sessions',
    label: 'Sessions',
    words: 'devices signed in log sign out everywhere else security',
    to: paths.security,
    hash: 'sessions',
  },
  {
    id: 'security',
    label: 'Security events',
    words: 'audit log sign in history',
    to: paths.security,
    hash: 'security-events',
  },
  { id: 'webhook', label: 'Webhook URL', words: 'events endpoint', needs: 'webhooks:write', hash: 'webhook-url' },
  {
    id: 'retention',
    label: 'How long messages are kept',
    words: 'retention delete old privacy',
    needs: 'account:write',
    to: paths.dataSettings,
    hash: 'kept-messages',
  },
  {
    id: 'notifications',
    label: 'Notifications and alerts',
    words: 'bell push mail browser',
    to: paths.notificationSettings,
    hash: 'notifications',
  },
  {
    id: 'export',
    label: 'Export or delete the account',
    words: 'data archive download privacy',
    needs: 'account:write',
    to: paths.dataSettings,
    hash: 'archive',
  },
  {
    id: 'plan',
    label: 'Subscription and payments',
    words: 'billing plan invoice cancel resume',
    needs: 'billing:read',
    hash: 'subscription',
  },
];

export function settingsCommands(navigate: Navigate): Command[] {
  return sections.map(({ id, label, words, hash, needs, to = paths.settings }) => ({
    id: `settings:${id}`,
    label,
    words: `settings ${words}`,
    ...(needs && { needs }),
    icon: <Settings />,
    run: () => void navigate({ to, hash }),
  }));
}

const themes = [
  { choice: 'light', label: 'Use the light theme', icon: <Sun /> },
  { choice: 'dark', label: 'Use the dark theme', icon: <Moon /> },
  { choice: 'system', label: "Use the system's theme", icon: <Monitor /> },
] as const;

export function actionCommands(theme: ThemeChoice): Command[] {
  const others = themes.filter(({ choice }) => choice !== theme);
  return [
    ...others.map(({ choice, label, icon }) => ({
      id: `theme:${choice}`,
      label,
      words: 'switch mode',
      icon,
      run: () => chooseTheme(choice),
    })),
    { id: 'log-out', label: 'Log out', words: 'logout sign out leave', icon: <LogOut />, run: logOut },
  ];
}
