import { z } from 'zod';
import { CurrentUser, EmailAddress, Registration, SignedIn } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, Timestamp } from './page.ts';
import { Role } from './roles.ts';
import { PasskeyOptions, RegistrationResponse } from './web-authn.ts';

const ProjectIds = z
  .array(Id)
  .min(1, 'Choose at least one project')
  .max(1_000, 'Choose at most 1,000 projects')
  .overwrite((ids) => [...new Set(ids)])
  .nullable()
  .describe('The projects that the member sees; null: all, later ones too. An owner sees all.');

export const Member = z.object({
  id: Id.describe("The user's."),
  name: z.string().describe('Its name, for people.'),
  email: z.string().describe('An email address.'),
  role: Role,
  project_ids: ProjectIds,
  two_factor: z.boolean().describe('Whether the person signs in with a second factor.'),
  last_seen_at: Timestamp.nullable().describe('To the hour; null: no session is open.'),
});
export type Member = z.infer<typeof Member>;

export const Invitation = z.object({
  id: Id.describe('Its id.'),
  email: z.string().describe('An email address.'),
  role: Role,
  project_ids: ProjectIds,
  expires_at: Timestamp.describe('When it ends.'),
});
export type Invitation = z.infer<typeof Invitation>;

const InvitationWithUrl = Invitation.extend({
  url: z.string().describe('The link, as it is mailed. It is shown this once.'),
});
export type InvitationWithUrl = z.infer<typeof InvitationWithUrl>;

export const NewInvitation = z.object({
  email: EmailAddress.describe('An email address.'),
  role: Role,
  project_ids: ProjectIds.default(null),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

export const MemberChange = z.object({ role: Role.optional(), project_ids: ProjectIds.optional() });
export type MemberChange = z.infer<typeof MemberChange>;

const forPeople = { callers: ['user'], needsSubscription: false } as const;

export const getTeam = endpoint({
  ...forPeople,
  method: 'GET',
  path: '/api/team',
  permission: 'team:read',
  summary: 'The members of the account, and the invitations that are open or have expired',
  response: {
    200: z.object({
      members: z.array(Member).describe('Everybody who works in the account.'),
      invitations: z.array(Invitation).describe('Open ones, and those that have expired.'),
    }),
  },
});

export const invite = endpoint({
  ...forPeople,
  method: 'POST',
  path: '/api/team/invitations',
  audit: 'invitation.created',
  permission: 'team:write',
  mailsStrangers: true,
  summary: 'Invite somebody by mail, for seven days; an earlier invitation to the address stops',
  idempotency: 'atomic',
  body: NewInvitation,
  response: { 201: InvitationWithUrl },
  errors: ['already_member', 'team_full', 'too_many_attempts', 'confirm_identity'],
});

export const resendInvitation = endpoint({
  ...forPeople,
  method: 'POST',
  path: '/api/team/invitations/{invitationId}/resend',
  audit: 'invitation.resent',
  permission: 'team:write',
  mailsStrangers: true,
  summary: 'Mail a new link, for seven days; the earlier link stops',
  idempotency: 'atomic',
  params: z.object({ invitationId: IdParam.describe('Which invitation.') }),
  response: { 200: InvitationWithUrl },
  errors: ['too_many_attempts', 'confirm_identity'],
});

export const withdrawInvitation = endpoint({
  ...forPeople,
  method: 'DELETE',
  path: '/api/team/invitations/{invitationId}',
  audit: 'invitation.withdrawn',
  permission: 'team:write',
  summary: 'Withdraw an invitation; its link stops',
  params: z.object({ invitationId: IdParam.describe('Which invitation.') }),
  response: { 204: undefined },
});

const InvitationToken = z.object({ token: z.string().min(1).max(200).describe('What stands at the end of the link.') });

export const InvitationSeen = z.object({
  account: z.object({ name: z.string().describe('Its name, for people.') }).describe('What one is invited to.'),
  inviter: z.object({ name: z.string().describe('Its name, for people.') }).describe('Who invites.'),
  role: Role,
  projects: z.array(z.string()).nullable().describe('The names of the projects that one will see; null: all.'),
  email: z.string().describe('An email address.'),
  has_user: z.boolean().describe('Whether somebody signs in with the address already.'),
  requires_two_factor: z.boolean().describe('Whether the account asks everybody for a second factor.'),
  expires_at: Timestamp.describe('When it ends.'),
});
export type InvitationSeen = z.infer<typeof InvitationSeen>;

export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/invitations/{token}',
  callers: 'anyone',
  summary: 'What a link invites to',
  params: InvitationToken,
  response: { 200: InvitationSeen },
  errors: ['invitation_expired', 'other_cell'],
});

export const NewPerson = Registration.pick({ name: true, password: true, timezone: true });
export type NewPerson = z.infer<typeof NewPerson>;

export const beginJoiningWithPasskey = endpoint({
  method: 'POST',
  path: '/api/invitations/{token}/passkey-options',
  audit: { act: 'user.passkey_asked', row: 'none', because: 'Nothing counts before the browser answers.' },
  callers: 'anyone',
  summary:
    'Begin to join with a passkey in place of a password: the options for `navigator.credentials.create`, good for five minutes and once',
  params: InvitationToken,
  body: NewPerson.pick({ name: true }),
  response: { 200: PasskeyOptions },
  errors: ['other_cell', 'invitation_expired', 'email_taken', 'sign_up_closed'],
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/{token}/accept',
  audit: { act: 'invitation.accepted', row: 'by_verb' },
  callers: 'anyone',
  summary:
    'Join the account: with the session of the invited address in `authorization`, or as a new user with a password or a passkey',
  params: InvitationToken,
  body: NewPerson.partial().extend({
    passkey: RegistrationResponse.optional().describe(
      'In place of `password`: what the browser answered to `POST …/passkey-options`. Without it the password counts.',
    ),
  }),
  response: {
    200: SignedIn.extend({
      recovery_codes: z
        .array(z.string())
        .optional()
        .describe('Ten codes, shown this once, where a passkey was made; absent otherwise.'),
    }),
  },
  errors: [
    'unauthenticated',
    'other_cell',
    'invitation_expired',
    'already_member',
    'email_taken',
    'other_address',
    'sign_up_closed',
    'passkey_refused',
    'busy',
  ],
});

export const updateMember = endpoint({
  ...forPeople,
  method: 'PATCH',
  path: '/api/team/members/{userId}',
  audit: 'member.changed',
  permission: 'team:write',
  summary: 'Change what a member may do, and in which projects',
  params: z.object({ userId: IdParam.describe('Which member, by the id of the user.') }),
  body: MemberChange,
  response: { 200: Member },
  errors: ['last_owner', 'confirm_identity'],
});

export const removeMember = endpoint({
  ...forPeople,
  method: 'DELETE',
  path: '/api/team/members/{userId}',
  audit: 'member.removed',
  permission: 'team:write',
  summary: 'Remove a member: at once, open pages and the api_key that they made included',
  params: z.object({ userId: IdParam.describe('Which member, by the id of the user.') }),
  response: { 204: undefined },
  errors: ['last_owner', 'confirm_identity'],
});

export const leaveTeam = endpoint({
  ...forPeople,
  method: 'POST',
  path: '/api/team/leave',
  audit: 'member.left',
  permission: 'self:write',
  withoutSecondFactor: true,
  summary: 'Leave the account that the session works in',
  response: { 204: undefined },
  errors: ['last_owner', 'confirm_identity'],
});

export const OwnAccount = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  role: Role,
  current: z.boolean().describe('Whether the session works in it.'),
});
export type OwnAccount = z.infer<typeof OwnAccount>;

export const listOwnAccounts = endpoint({
  ...forPeople,
  method: 'GET',
  path: '/api/user/accounts',
  permission: 'self:read',
  ofPerson: true,
  summary: 'The accounts that the person is a member of',
  response: { 200: z.object({ data: z.array(OwnAccount).describe('The entries.') }) },
});

export const switchAccount = endpoint({
  ...forPeople,
  method: 'POST',
  path: '/api/user/switch-account',
  audit: { act: 'user.account_switched', row: 'none', because: 'Changes nothing of an account.' },
  permission: 'self:write',
  ofPerson: true,
  summary: 'Work in another account with this session; its other pages are answered 409 `account_switched`',
  body: z.object({ account_id: Id.describe('An account that the person is a member of.') }),
  response: { 200: CurrentUser },
});

export const renameAccount = endpoint({
  method: 'PUT',
  path: '/api/account',
  audit: 'account.renamed',
  callers: ['user', 'api_key'],
  permission: 'account:write',
  needsSubscription: false,
  summary: 'Give the account a name, which invitations and the list of accounts show',
  body: z.object({
    name: z
      .string()
      .trim()
      .min(1, 'Enter a name')
      .max(120, 'Use at most 120 characters')
      .describe('Its name, for people.'),
  }),
  response: { 200: z.object({ id: Id.describe('Its id.'), name: z.string().describe('Its name, for people.') }) },
});

export const demandTwoFactor = endpoint({
  ...forPeople,
  method: 'PUT',
  path: '/api/account/two-factor',
  audit: 'account.two_factor_demanded',
  permission: 'account:write',
  confirmsIdentity: true,
  summary: 'Say whether everybody in the account needs a second factor; keys are not concerned',
  body: z.object({
    required: z.boolean().describe('At once: members without one can do nothing but set one up.'),
  }),
  response: { 200: z.object({ required: z.boolean().describe('As it is now.') }) },
  errors: ['second_factor_missing'],
});
