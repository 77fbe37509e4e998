import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { checkoutSearch, isReturn } from '#web/features/billing/checkout/checkout-search.ts';
import { bulkRunSearch } from '#web/features/bulk-send/runs/bulk-run-search.ts';
import { campaignSearch } from '#web/features/campaigns/campaign-search.ts';
import { developerSearch } from '#web/features/developers/developer-search.ts';
import { eventSearch } from '#web/features/events/event-search.ts';
import { flowSearch } from '#web/features/flows/flow-search.ts';
import { importSearch } from '#web/features/profiles/import/import-search.ts';
import { priceSearch } from '#web/features/settings/prices/price-search.ts';
import { auditSearch } from '#web/features/settings/audit/audit-search.ts';
import { optOutSearch } from '#web/features/opt-out/opt-out-search.ts';
import { inboxSearch } from '#web/features/inbox/inbox-search.ts';
import { timesSearch } from '#web/features/inbox/times/times-search.ts';
import { messageSearch } from '#web/features/messages/message-search.ts';
import { phoneSearch } from '#web/features/phone-numbers/phone-search.ts';
import { profileSearch } from '#web/features/profiles/profile-search.ts';
import { recordSearch } from '#web/features/projects/records/record-search.ts';
import { segmentSearch } from '#web/features/segments/segment-search.ts';
import { templateSearch } from '#web/features/templates/template-search.ts';
import { newTemplateSearch } from '#web/features/whatsapp-templates/editor/new-template-search.ts';
import { whatsappTemplateSearch } from '#web/features/whatsapp-templates/list/template-search.ts';
import { paths } from '#web/shared/paths.ts';
import type { StaticPath } from '#web/shared/paths.ts';
import { entrySearch } from '#web/shared/report/entry-search.ts';
import { awaitSignInOptions } from '#web/shared/sign-in-options.ts';
import { pagesInUrl } from '#web/shared/table/page-in-url.ts';
import { ErrorPage } from './error-page.tsx';
import { lazyPage } from './lazy-page.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { queryClient } from './query-client.ts';
import { Root } from './root.tsx';
import { guardRoute } from './route-guard.ts';

/** The sections that pages of an object belong to. */
const sections = {
  projects: { title: 'Projects', to: paths.projects },
  dashboard: { title: 'Dashboard', to: paths.dashboard },
  settings: { title: 'Settings', to: paths.settings },
  inbox: { title: 'Inbox', to: paths.inbox },
  bulkSend: { title: 'Bulk Send', to: paths.bulkSend },
  bulkRuns: { title: 'Bulk Runs', to: paths.bulkRuns },
  profiles: { title: 'Profiles', to: paths.profiles },
  campaigns: { title: 'Automations', to: paths.campaigns },
  segments: { title: 'Segments', to: paths.segments },
  flows: { title: 'Flows', to: paths.flows },
  whatsappTemplates: { title: 'WhatsApp templates', to: paths.whatsappTemplates },
} as const;

const rootRoute = createRootRoute({ component: Root, errorComponent: ErrorPage });

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.login,
  staticData: { title: 'Sign in' },
  beforeLoad: () => guardRoute('guest'),
  loader: () => awaitSignInOptions(queryClient),
  component: lazyPage(() => import('#web/features/accounts/login-page.tsx'), 'LoginPage'),
});

const oidcCallback = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.oidcCallback,
  staticData: { title: 'Sign in' },
  // A code that looks like a number would lose digits by being read as one.
  validateSearch: (search: Record<string, unknown>): OidcSearch => {
    const raw = new URLSearchParams(location.search);
    const texts = oidcNames.map((name) => [name, typeof search[name] === 'string' ? search[name] : raw.get(name)]);
    return Object.fromEntries(texts.filter(([, text]) => text !== null)) as OidcSearch;
  },
  component: lazyPage(() => import('#web/features/accounts/oidc-callback-page.tsx'), 'OidcCallbackPage'),
});

const oidcNames = ['begin', 'code', 'state', 'iss', 'error'] as const;
type OidcSearch = { [Name in (typeof oidcNames)[number]]?: string };

const signup = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.signup,
  staticData: { title: 'Create an account' },
  beforeLoad: () => guardRoute('guest'),
  loader: () => awaitSignInOptions(queryClient),
  component: lazyPage(() => import('#web/features/accounts/signup-page.tsx'), 'SignupPage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.forgotPassword,
  staticData: { title: 'Forgot password' },
  component: lazyPage(() => import('#web/features/accounts/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  staticData: { title: 'Reset password' },
  validateSearch: (search: Record<string, unknown>): { token?: string } =>
    typeof search['token'] === 'string' ? { token: search['token'] } : {},
  component: lazyPage(() => import('#web/features/accounts/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const confirmEmail = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.confirmEmail,
  staticData: { title: 'Confirm your email address' },
  validateSearch: (search: Record<string, unknown>): { token?: string } =>
    typeof search['token'] === 'string' ? { token: search['token'] } : {},
  component: lazyPage(() => import('#web/features/accounts/confirm-email-page.tsx'), 'ConfirmEmailPage'),
});

const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.invitation,
  staticData: { title: 'Invitation' },
  loader: () => awaitSignInOptions(queryClient),
  component: lazyPage(() => import('#web/features/accounts/invitation-page.tsx'), 'InvitationPage'),
});

const subscription = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.subscription,
  staticData: { title: 'Subscription' },
  validateSearch: checkoutSearch,
  beforeLoad: ({ search }) => guardRoute(isReturn(search) ? 'payer' : 'signed-in'),
  component: lazyPage(() => import('./subscription-screen.tsx'), 'SubscriptionScreen'),
});

const secondFactor = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.secondFactor,
  staticData: { title: 'Second factor' },
  beforeLoad: () => guardRoute('factorless'),
  component: lazyPage(() => import('#web/features/settings/two-factor/second-factor-page.tsx'), 'SecondFactorPage'),
});

const shell = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: () => guardRoute('subscriber'),
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
});

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: paths.dashboard,
  staticData: { title: 'Dashboard' },
  component: lazyPage(() => import('#web/features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});

const projects = createRoute({
  getParentRoute: () => shell,
  path: paths.projects,
  staticData: { title: 'Projects' },
  component: lazyPage(() => import('#web/features/projects/projects-page.tsx'), 'ProjectsPage'),
});

const newProject = createRoute({
  getParentRoute: () => shell,
  path: paths.newProject,
  staticData: { title: 'New Project', section: sections.projects },
  component: lazyPage(() => import('#web/features/projects/new-project-page.tsx'), 'NewProjectPage'),
});

const project = createRoute({
  getParentRoute: () => shell,
  path: paths.project,
  staticData: { title: 'Project', section: sections.projects },
  validateSearch: recordSearch,
  component: lazyPage(() => import('#web/features/projects/project-page.tsx'), 'ProjectPage'),
});

const projectSettings = createRoute({
  getParentRoute: () => shell,
  path: paths.projectSettings,
  staticData: { title: 'Project settings', section: sections.projects, isOfProject: true },
  component: lazyPage(() => import('#web/features/projects/project-settings-page.tsx'), 'ProjectSettingsPage'),
});

const firstMessage = createRoute({
  getParentRoute: () => shell,
  path: paths.firstMessage,
  staticData: { title: 'First message', section: sections.projects, isOfProject: true },
  component: lazyPage(() => import('#web/features/first-message/first-message-page.tsx'), 'FirstMessagePage'),
});

const phoneNumbers = createRoute({
  getParentRoute: () => shell,
  path: paths.phoneNumbers,
  staticData: { title: 'Phone Numbers', section: sections.projects, isOfProject: true },
  validateSearch: phoneSearch,
  component: lazyPage(() => import('#web/features/phone-numbers/phone-numbers-page.tsx'), 'PhoneNumbersPage'),
});

const connectNumber = createRoute({
  getParentRoute: () => shell,
  path: paths.connectNumber,
  staticData: { title: 'Connect a number', section: sections.projects, isOfProject: true },
  component: lazyPage(() => import('#web/features/phone-numbers/connect/connect-number-page.tsx'), 'ConnectNumberPage'),
});

const signUpReturn = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.signUpReturn,
  staticData: { title: 'Meta has answered' },
  component: lazyPage(() => import('#web/features/phone-numbers/sign-up/sign-up-return-page.tsx'), 'SignUpReturnPage'),
});

const phone = createRoute({
  getParentRoute: () => shell,
  path: paths.phone,
  staticData: { title: 'Phone Number', section: sections.projects },
  component: lazyPage(() => import('#web/features/phone-numbers/phone-page.tsx'), 'PhonePage'),
});

const developers = createRoute({
  getParentRoute: () => shell,
  path: paths.developers,
  staticData: { title: 'Developers', section: sections.projects, isOfProject: true },
  validateSearch: developerSearch,
  component: lazyPage(() => import('./developers-screen.tsx'), 'DevelopersScreen'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: paths.settings,
  staticData: { title: 'Settings' },
  validateSearch: pagesInUrl('payments'),
  // Links of before lead to the cards where they are now.
  beforeLoad: ({ location: { hash } }) => {
    const page = pagesOfCards[hash];
    if (page !== undefined) throw redirect({ to: page, hash, replace: true });
  },
  component: lazyPage(() => import('./settings-screen.tsx'), 'SettingsScreen'),
});

const pagesOfCards: Readonly<Record<string, StaticPath | undefined>> = {
  'two-factor': paths.security,
  sessions: paths.security,
  'security-events': paths.security,
  notifications: paths.notificationSettings,
  alerts: paths.notificationSettings,
  caps: paths.sendingSettings,
  links: paths.sendingSettings,
  'opt-out': paths.sendingSettings,
  'kept-messages': paths.dataSettings,
  archive: paths.dataSettings,
  'delete-account': paths.dataSettings,
};

const notificationSettings = createRoute({
  getParentRoute: () => shell,
  path: paths.notificationSettings,
  staticData: { title: 'Notifications', section: sections.settings },
  component: lazyPage(() => import('#web/features/settings/pages/notifications-page.tsx'), 'NotificationsPage'),
});

const sendingSettings = createRoute({
  getParentRoute: () => shell,
  path: paths.sendingSettings,
  staticData: { title: 'Sending', section: sections.settings },
  component: lazyPage(() => import('#web/features/settings/pages/sending-page.tsx'), 'SendingPage'),
});

const dataSettings = createRoute({
  getParentRoute: () => shell,
  path: paths.dataSettings,
  staticData: { title: 'Data', section: sections.settings },
  component: lazyPage(() => import('#web/features/settings/pages/data-page.tsx'), 'DataPage'),
});

const security = createRoute({
  getParentRoute: () => shell,
  path: paths.security,
  staticData: { title: 'Security', section: sections.settings },
  component: lazyPage(() => import('#web/features/settings/security/security-page.tsx'), 'SecurityPage'),
});

const team = createRoute({
  getParentRoute: () => shell,
  path: paths.team,
  staticData: { title: 'Team', section: sections.settings },
  component: lazyPage(() => import('#web/features/settings/team/team-page.tsx'), 'TeamPage'),
});

const auditLog = createRoute({
  getParentRoute: () => shell,
  path: paths.auditLog,
  staticData: { title: 'Audit log', section: sections.settings },
  validateSearch: auditSearch,
  component: lazyPage(() => import('#web/features/settings/audit/audit-page.tsx'), 'AuditPage'),
});

const prices = createRoute({
  getParentRoute: () => shell,
  path: paths.prices,
  staticData: { title: 'Prices', section: sections.settings },
  validateSearch: priceSearch,
  component: lazyPage(() => import('#web/features/settings/prices/prices-page.tsx'), 'PricesPage'),
});

const optOut = createRoute({
  getParentRoute: () => shell,
  path: paths.optOut,
  staticData: { title: 'Opt-out', section: sections.settings },
  validateSearch: optOutSearch,
  component: lazyPage(() => import('#web/features/opt-out/opt-out-page.tsx'), 'OptOutPage'),
});

const inbox = createRoute({
  getParentRoute: () => shell,
  path: paths.inbox,
  staticData: { title: 'Inbox', fillsScreen: true },
  validateSearch: inboxSearch,
  component: lazyPage(() => import('#web/features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const inboxTimes = createRoute({
  getParentRoute: () => shell,
  path: paths.inboxTimes,
  staticData: { title: 'Answer times', section: sections.inbox },
  validateSearch: timesSearch,
  component: lazyPage(() => import('#web/features/inbox/times/times-page.tsx'), 'TimesPage'),
});

const messages = createRoute({
  getParentRoute: () => shell,
  path: paths.messages,
  staticData: { title: 'Messages' },
  validateSearch: messageSearch,
  component: lazyPage(() => import('#web/features/messages/messages-page.tsx'), 'MessagesPage'),
});

const bulkSend = createRoute({
  getParentRoute: () => shell,
  path: paths.bulkSend,
  staticData: { title: 'Bulk Send' },
  component: lazyPage(() => import('#web/features/bulk-send/bulk-send-page.tsx'), 'BulkSendPage'),
});

const bulkRuns = createRoute({
  getParentRoute: () => shell,
  path: paths.bulkRuns,
  staticData: { title: 'Bulk Runs', section: sections.bulkSend },
  validateSearch: bulkRunSearch,
  component: lazyPage(() => import('#web/features/bulk-send/runs/bulk-runs-page.tsx'), 'BulkRunsPage'),
});

const bulkRun = createRoute({
  getParentRoute: () => shell,
  path: paths.bulkRun,
  staticData: { title: 'Bulk Run', section: sections.bulkRuns },
  validateSearch: entrySearch,
  component: lazyPage(() => import('#web/features/bulk-send/runs/bulk-run-page.tsx'), 'BulkRunPage'),
});

const profiles = createRoute({
  getParentRoute: () => shell,
  path: paths.profiles,
  staticData: { title: 'Profiles' },
  validateSearch: profileSearch,
  component: lazyPage(() => import('#web/features/profiles/profiles-page.tsx'), 'ProfilesPage'),
});

const profileImport = createRoute({
  getParentRoute: () => shell,
  path: paths.profileImport,
  staticData: { title: 'Import Profiles', section: sections.profiles },
  validateSearch: importSearch,
  component: lazyPage(() => import('#web/features/profiles/import/import-page.tsx'), 'ImportPage'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: paths.profile,
  staticData: { title: 'Profile Details', section: sections.profiles },
  component: lazyPage(() => import('#web/features/profiles/profile-page.tsx'), 'ProfilePage'),
});

const campaigns = createRoute({
  getParentRoute: () => shell,
  path: paths.campaigns,
  staticData: { title: 'Automations' },
  validateSearch: campaignSearch,
  beforeLoad: ({ search: { edit, ...search } }) => {
    if (edit === undefined) return;
    throw redirect({ to: paths.editCampaign, params: { campaignId: String(edit) }, search, replace: true });
  },
  component: lazyPage(() => import('#web/features/campaigns/campaigns-page.tsx'), 'CampaignsPage'),
});

/** Editors open over their list. */
const newCampaign = createRoute({
  getParentRoute: () => campaigns,
  path: 'new',
  staticData: { title: 'New Campaign', section: sections.campaigns, isOverSection: true },
});

const editCampaign = createRoute({
  getParentRoute: () => campaigns,
  path: '$campaignId/edit',
  staticData: { title: 'Edit Campaign', section: sections.campaigns, isOverSection: true },
});

const campaign = createRoute({
  getParentRoute: () => shell,
  path: paths.campaign,
  staticData: { title: 'Automations', section: sections.campaigns },
  validateSearch: entrySearch,
  component: lazyPage(() => import('#web/features/campaigns/recipients/campaign-page.tsx'), 'CampaignPage'),
});

const segments = createRoute({
  getParentRoute: () => shell,
  path: paths.segments,
  staticData: { title: 'Segments' },
  validateSearch: segmentSearch,
  beforeLoad: ({ search: { edit, ...search } }) => {
    if (edit === undefined) return;
    throw redirect({ to: paths.segment, params: { segmentId: String(edit) }, search, replace: true });
  },
  component: lazyPage(() => import('#web/features/segments/segments-page.tsx'), 'SegmentsPage'),
});

const newSegment = createRoute({
  getParentRoute: () => segments,
  path: 'new',
  staticData: { title: 'New Segment', section: sections.segments, isOverSection: true },
});

const editSegment = createRoute({
  getParentRoute: () => segments,
  path: '$segmentId',
  staticData: { title: 'Edit Segment', section: sections.segments, isOverSection: true },
});

const events = createRoute({
  getParentRoute: () => shell,
  path: paths.events,
  staticData: { title: 'Events' },
  validateSearch: eventSearch,
  component: lazyPage(() => import('#web/features/events/events-page.tsx'), 'EventsPage'),
});

const flows = createRoute({
  getParentRoute: () => shell,
  path: paths.flows,
  staticData: { title: 'Flows' },
  validateSearch: flowSearch,
  beforeLoad: ({ search: { edit, ...search } }) => {
    if (edit === undefined) return;
    throw redirect({ to: paths.editFlow, params: { flowId: String(edit) }, search, replace: true });
  },
  component: lazyPage(() => import('#web/features/flows/flows-page.tsx'), 'FlowsPage'),
});

const newFlow = createRoute({
  getParentRoute: () => flows,
  path: 'new',
  staticData: { title: 'Create Flow', section: sections.flows, isOverSection: true },
});

const editFlow = createRoute({
  getParentRoute: () => flows,
  path: '$flowId/edit',
  staticData: { title: 'Edit Flow', section: sections.flows, isOverSection: true },
});

const flow = createRoute({
  getParentRoute: () => shell,
  path: paths.flow,
  staticData: { title: 'Flows', section: sections.flows },
  validateSearch: entrySearch,
  component: lazyPage(() => import('#web/features/flows/report/flow-page.tsx'), 'FlowPage'),
});

const templates = createRoute({
  getParentRoute: () => shell,
  path: paths.templates,
  staticData: { title: 'Templates' },
  validateSearch: templateSearch,
  component: lazyPage(() => import('#web/features/templates/templates-page.tsx'), 'TemplatesPage'),
});

const whatsappTemplates = createRoute({
  getParentRoute: () => shell,
  path: paths.whatsappTemplates,
  staticData: { title: 'WhatsApp templates' },
  validateSearch: whatsappTemplateSearch,
  component: lazyPage(
    () => import('#web/features/whatsapp-templates/list/templates-page.tsx'),
    'WhatsappTemplatesPage',
  ),
});

const newWhatsappTemplate = createRoute({
  getParentRoute: () => shell,
  path: paths.newWhatsappTemplate,
  staticData: { title: 'New template', section: sections.whatsappTemplates },
  validateSearch: newTemplateSearch,
  component: lazyPage(() => import('#web/features/whatsapp-templates/editor/new-template-page.tsx'), 'NewTemplatePage'),
});

const whatsappTemplate = createRoute({
  getParentRoute: () => shell,
  path: paths.whatsappTemplate,
  staticData: { title: 'WhatsApp template', section: sections.whatsappTemplates },
  component: lazyPage(() => import('#web/features/whatsapp-templates/editor/template-page.tsx'), 'TemplatePage'),
});

/** Whatever else the address says. */
const notFound = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  staticData: { title: 'Page not found' },
  component: NotFoundPage,
});

export const routeTree = rootRoute.addChildren([
  login,
  oidcCallback,
  signUpReturn,
  signup,
  forgotPassword,
  resetPassword,
  confirmEmail,
  invitation,
  subscription,
  secondFactor,
  shell.addChildren([
    dashboard,
    projects,
    newProject,
    project,
    projectSettings,
    firstMessage,
    phoneNumbers,
    connectNumber,
    phone,
    developers,
    inbox,
    inboxTimes,
    messages,
    bulkSend,
    bulkRuns,
    bulkRun,
    templates,
    whatsappTemplates,
    newWhatsappTemplate,
    whatsappTemplate,
    profiles,
    profileImport,
    profile,
    segments.addChildren([newSegment, editSegment]),
    events,
    campaigns.addChildren([newCampaign, editCampaign]),
    campaign,
    flows.addChildren([newFlow, editFlow]),
    flow,
    settings,
    security,
    notificationSettings,
    sendingSettings,
    dataSettings,
    team,
    auditLog,
    optOut,
    prices,
  ]),
  notFound,
]);
