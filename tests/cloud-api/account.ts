import type { Clock } from '#server/platform/clock.ts';

export type TemplateStatus = 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED';

export type StandInTemplate = {
  id: string;
  name: string;
  language: string;
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  parameter_format: 'NAMED' | 'POSITIONAL';
  status: TemplateStatus;
  rejected_reason: string;
  quality_score: { score: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'; date: number };
  components: TemplateComponent[];
};

export type TemplateComponent = {
  type: string;
  format?: string;
  text?: string;
  example?: Record<string, unknown>;
  buttons?: { type: string; text?: string; url?: string; example?: string | string[] }[];
};

/** A registered business number; `display` has its calling code, digits alone. */
export type StandInNumber = {
  id: string;
  display: string;
  callingCode: string;
  verifiedName: string;
  isRegistered: boolean;
  /** Its owner has proved that it is theirs, by the code that they were sent. */
  isVerified: boolean;
  /** The code that was sent by SMS or a call, and is not entered yet. */
  sentCode: string | null;
  /** When it came to its account. */
  onboardedAt: string;
  pin: string | null;
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';
  perSecond: number;
  /** People whom its portfolio may write to first in 24 hours, in Graph's words. */
  limit: string;
  registerCalls: number;
  /** Graph's word on whether it can send, beside the error that it names. */
  canSend: 'AVAILABLE' | 'LIMITED' | 'BLOCKED';
  /** Graph's errors beside that word. */
  healthErrors: { error_code: number; error_description: string; possible_solution: string }[];
  /** The number stays in the Business app as well, and is never registered. */
  isShared: boolean;
  /** The chats of that app, as Meta tells of them, and what was handed over. */
  chats: object[];
  handedOver: string[];
  /** As users see it; the photo as it was uploaded. */
  profile: { about?: string; photo?: Buffer };
};

const windowMs = 24 * 60 * 60_000;
const pairGapMs = 6_000;
const pairBurst = 45;

/** A refusal in the form of Graph: decided by `code`, whatever the status says. */
export class GraphError extends Error {
  readonly code: number;
  readonly details: string | undefined;
  readonly status: number;
  readonly subcode: number | undefined;

  constructor(code: number, message: string, details?: string, status = 400, subcode?: number) {
    super(message);
    this.code = code;
    this.details = details;
    this.status = status;
    this.subcode = subcode;
  }
}

/** As Graph says it of an id that it does not know, or does not show to this app: a wrong parameter, with a subcode. */
export const missing = (method: string, id: string): GraphError =>
  new GraphError(
    100,
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    undefined,
    400,
    33,
  );

/** A WhatsApp Business Account: numbers, templates, users, and the rules that Meta keeps for them. */
export class BusinessAccount {
  readonly id: string;
  readonly numbers = new Map<string, StandInNumber>();
  readonly templates = new Map<string, StandInTemplate>();
  /** The app is subscribed to the account: without it no webhook is sent. */
  isSubscribed = false;
  /** Recipients of a test number: null allows everybody. */
  allowList: Set<string> | null = null;
  /** Templates by their id whose messages wait until their quality is judged. */
  readonly judged = new Set<string>();
  /** Users who stopped marketing. */
  readonly stopped = new Set<string>();
  readonly #clock: Clock;
  readonly #lastInbound = new Map<string, number>();
  readonly #pairs = new Map<string, { tokens: number; at: number }>();
  readonly #second = new Map<string, { second: number; count: number }>();

  constructor(id: string, clock: Clock) {
    this.id = id;
    this.#clock = clock;
  }

  addNumber(number: Partial<StandInNumber> & Pick<StandInNumber, 'id' | 'display'>): StandInNumber {
    const added: StandInNumber = {
      callingCode: '1',
      verifiedName: 'Stand-in Shop',
      isRegistered: true,
      isVerified: true,
      sentCode: null,
      onboardedAt: '2026-01-02T10:00:00+0000',
      pin: null,
      quality: 'GREEN',
      perSecond: 80,
      limit: 'TIER_2K',
      registerCalls: 0,
      canSend: 'AVAILABLE',
      healthErrors: [],
      isShared: false,
      chats: [],
      handedOver: [],
      profile: {},
      ...number,
    };
    this.numbers.set(added.id, added);
    return added;
  }

  /** The user wrote, or pressed a button: free content may be sent for 24 hours. */
  openWindow(number: StandInNumber, user: string): void {
    this.#lastInbound.set(`${number.id}:${user}`, this.#clock.now().getTime());
  }

  isWindowOpen(number: StandInNumber, user: string): boolean {
    const at = this.#lastInbound.get(`${number.id}:${user}`);
    return at !== undefined && this.#clock.now().getTime() - at < windowMs;
  }

  /** 130429 beyond the number's throughput, 131056 beyond the pair rate: a message every six seconds, 45 of them lent. */
  countSend(number: StandInNumber, user: string): void {
    const now = this.#clock.now().getTime();
    const second = Math.floor(now / 1000);
    const current = this.#second.get(number.id);
    const count = current?.second === second ? current.count + 1 : 1;
    if (count > number.perSecond) throw new GraphError(130429, '(#130429) Rate limit hit', 'Throughput reached');
    const pairKey = `${number.id}:${user}`;
    const pair = this.#pairs.get(pairKey) ?? { tokens: pairBurst, at: now };
    const tokens = Math.min(pairBurst, pair.tokens + (now - pair.at) / pairGapMs);
    if (tokens < 1) throw new GraphError(131056, '(#131056) Pair rate limit hit', 'Too many messages to this user');
    this.#second.set(number.id, { second, count });
    this.#pairs.set(pairKey, { tokens: tokens - 1, at: now });
  }

  findTemplate(name: string, language: string): StandInTemplate {
    const found = [...this.templates.values()].find((one) => one.name === name && one.language === language);
    if (!found || found.status === 'PENDING' || found.status === 'REJECTED') {
      throw new GraphError(132001, '(#132001) Template name does not exist in the translation', undefined, 404);
    }
    if (found.status === 'PAUSED') throw new GraphError(132015, '(#132015) Template is paused');
    if (found.status === 'DISABLED') throw new GraphError(132016, '(#132016) Template is disabled');
    return found;
  }
}

const placeholders = (text: string | undefined) =>
  [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);

type SentParameter = {
  type: string;
  parameter_name?: string;
  text?: string;
  coupon_code?: string;
  [kind: string]: unknown;
};
type SentComponent = { type: string; sub_type?: string; index?: string; parameters?: SentParameter[] };

const wrongFormat = (details: string) => new GraphError(132012, '(#132012) Parameter format does not match', details);

/** 132000 for a wrong number of parameters, 132012 for wrong names or kinds, 132005 for a text that is too long. */
export function checkParameters(
  template: StandInTemplate,
  sent: readonly SentComponent[],
  requireMedia: (id: string, kind: string) => void,
): void {
  for (const { type } of sent) {
    const part = type.toUpperCase() === 'BUTTON' ? 'BUTTONS' : type.toUpperCase();
    if (!template.components.some((component) => component.type === part))
      throw wrongFormat(`${type}: the template has no such component`);
  }
  for (const component of template.components) {
    if (component.type === 'BUTTONS') checkButtons(component, sent);
    else if (component.format && component.format !== 'TEXT') checkMedia(component.format, sent, requireMedia);
    else checkText(template, component, sent);
  }
}

function checkMedia(format: string, sent: readonly SentComponent[], requireMedia: (id: string, kind: string) => void) {
  const kind = format.toLowerCase();
  const parameter = sent.find(({ type }) => type === 'header')?.parameters?.[0];
  const file = parameter?.[kind] as { id?: string } | undefined;
  if (parameter?.type !== kind || file?.id === undefined) throw wrongFormat(`header: expected ${kind}`);
  requireMedia(file.id, kind);
}

function checkText(template: StandInTemplate, component: TemplateComponent, sent: readonly SentComponent[]): void {
  const type = component.type.toLowerCase();
  const parameters = sent.find((one) => one.type.toLowerCase() === type)?.parameters ?? [];
  const wanted = [...new Set(placeholders(component.text))];
  if (wanted.length !== parameters.length) {
    const details = `${type}: number of localizable_params (${parameters.length}) does not match the expected number of params (${wanted.length})`;
    throw new GraphError(132000, '(#132000) Number of parameters does not match', details);
  }
  for (const { type: kind, text, parameter_name: name } of parameters) {
    if (kind !== 'text' || text === undefined || text === '') throw wrongFormat(`${type}: a parameter has no text`);
    if (/[\n\t]| {5}/.test(text))
      throw wrongFormat(`${type}: a parameter has new lines, tabs or more than four spaces`);
    if (template.parameter_format === 'NAMED' && (name === undefined || !wanted.includes(name)))
      throw wrongFormat(`${type}: parameter ${name ?? ''} is not one of the template`);
    if (template.parameter_format === 'POSITIONAL' && name !== undefined)
      throw wrongFormat(`${type}: the template has no named parameters`);
  }
  const length = parameters.reduce((sum, { text }) => sum + (text?.length ?? 0), component.text?.length ?? 0);
  if (length > (type === 'body' ? 1024 : 120)) throw new GraphError(132005, '(#132005) Translated text too long');
}

function checkButtons(component: TemplateComponent, sent: readonly SentComponent[]): void {
  for (const [index, button] of (component.buttons ?? []).entries()) {
    const found = sent.find((one) => one.type === 'button' && one.index === String(index));
    const takesText = placeholders(button.url).length > 0;
    if (takesText && (found?.sub_type !== 'url' || !found.parameters?.[0]?.text))
      throw new GraphError(
        131008,
        '(#131008) Required parameter is missing',
        `buttons: button at index ${index} of type Url requires a parameter`,
      );
    if (button.type === 'COPY_CODE' && !found?.parameters?.[0]?.coupon_code)
      throw wrongFormat(`buttons: button at index ${index} requires a coupon code`);
  }
}
