import { randomInt } from 'node:crypto';
import { GraphError, missing } from './account.ts';
import type { StandInNumber, StandInTemplate } from './account.ts';
import type { CloudApiStandIn } from './stand-in.ts';

export type GraphRequest = {
  method: string;
  path: string[];
  url: URL;
  body: Buffer;
  type: string;
  fileOffset: string | undefined;
};

const registersPer72Hours = 10;

/** Everything but sending, by the first part of the path: the token, a number, the account, a template or a file. */
export async function answerGraph(api: CloudApiStandIn, request: GraphRequest): Promise<object> {
  const [id = '', edge] = request.path;
  if (id === 'debug_token') {
    const signedUp = api.signUps.describe(request.url.searchParams.get('input_token') ?? '');
    if (signedUp) return { data: signedUp };
    return { data: { app_id: api.appId, type: 'SYSTEM_USER', is_valid: true, expires_at: 0, scopes: api.scopes } };
  }
  if (id === api.appId && edge === undefined && request.method === 'GET') return { id: api.appId };
  if (id === 'me') return { id: api.systemUserId };
  if (id === api.appId && edge === 'uploads' && request.method === 'POST') return startUpload(api, request.url);
  if (id.startsWith('upload:') && request.method === 'POST') return finishUpload(api, id, request);
  const number = api.account.numbers.get(id);
  if (number) return answerNumber(api, number, { ...request, edge });
  if (id === api.account.id) return answerAccount(api, { ...request, edge });
  const template = api.account.templates.get(id);
  if (template && edge === 'unpause' && request.method === 'POST') return unpause(api, template);
  if (template) return editTemplate(api, template, request);
  if (!/^\d+$/.test(id)) throw missing(request.method, id);
  if (request.method === 'DELETE') {
    api.media.remove(id);
    return { success: true };
  }
  return api.media.describe(id, api.url);
}

const exampleTypes = /^(image\/(jpeg|jpg|png)|video\/mp4|application\/pdf)$/;

/** A session of the Resumable Upload API. Source: developers.facebook.com/docs/graph-api/guides/upload. */
function startUpload(api: CloudApiStandIn, { searchParams }: URL): object {
  const size = Number(searchParams.get('file_length') ?? 0);
  if (!(size > 0) || !exampleTypes.test(searchParams.get('file_type') ?? ''))
    throw new GraphError(100, '(#100) The parameter file_length or file_type is not one of the known');
  const id = `upload:${randomInt(1e12, 9e12)}`;
  api.exampleUploads.set(id, { size, handle: undefined, bytes: undefined });
  return { id };
}

function finishUpload(api: CloudApiStandIn, id: string, { body, fileOffset }: GraphRequest): object {
  const session = api.exampleUploads.get(id);
  if (!session) throw missing('POST', id);
  if (fileOffset !== '0' || body.length !== session.size) throw new GraphError(100, '(#100) The file is not whole');
  session.handle = `4::${randomInt(1e12, 9e12)}`;
  session.bytes = body;
  return { h: session.handle };
}

type EdgeRequest = GraphRequest & { edge: string | undefined };

async function answerNumber(api: CloudApiStandIn, number: StandInNumber, request: EdgeRequest): Promise<object> {
  const { method, edge } = request;
  if (method === 'GET' && edge === undefined) return presentNumber(number);
  if (method === 'POST' && edge === 'request_code') return requestCode(number, json(request));
  if (method === 'POST' && edge === 'verify_code') return verifyCode(number, json(request));
  if (method === 'POST' && edge === 'register') return register(number, json(request));
  if (method === 'POST' && edge === 'deregister') {
    number.isRegistered = false;
    return { success: true };
  }
  if (method === 'POST' && edge === 'smb_app_data') return handOver(api, number, json(request));
  if (edge === 'whatsapp_business_profile') return answerProfile(api, number, request);
  if (method === 'POST' && edge === 'media') return upload(api, number, request);
  throw missing(method, request.path.join('/'));
}

/** The profile that users see; a photo is named by the handle of a resumable upload, and shown under an address. */
function answerProfile(api: CloudApiStandIn, number: StandInNumber, request: EdgeRequest): object {
  if (request.method === 'GET') {
    const { about, photo } = number.profile;
    const url = photo === undefined ? {} : { profile_picture_url: `${api.url}/pictures/${number.id}` };
    return { data: [{ messaging_product: 'whatsapp', ...(about !== undefined && { about }), ...url }] };
  }
  const { messaging_product: product, about, profile_picture_handle: handle } = json(request);
  if (product !== 'whatsapp') throw new GraphError(100, '(#100) The parameter messaging_product is required.');
  if (about !== undefined && (typeof about !== 'string' || about.length < 1 || about.length > 139))
    throw new GraphError(100, '(#100) Invalid parameter', 'about must have 1 to 139 characters');
  const photo = [...api.exampleUploads.values()].find((one) => one.handle !== undefined && one.handle === handle);
  if (handle !== undefined && !photo?.bytes)
    throw new GraphError(100, '(#100) Invalid parameter', 'profile_picture_handle');
  if (about !== undefined) number.profile.about = about;
  if (photo?.bytes) number.profile.photo = photo.bytes;
  return { success: true };
}

function presentNumber(number: StandInNumber): object {
  return {
    id: number.id,
    display_phone_number: `+${number.display}`,
    verified_name: number.verifiedName,
    quality_rating: number.quality,
    code_verification_status: number.isVerified ? 'VERIFIED' : 'NOT_VERIFIED',
    status: number.isRegistered ? 'CONNECTED' : 'PENDING',
    platform_type: number.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    last_onboarded_time: number.onboardedAt,
    throughput: { level: number.perSecond >= 1000 ? 'HIGH' : 'STANDARD' },
    is_on_biz_app: number.isShared,
    whatsapp_business_manager_messaging_limit: number.limit,
    health_status: {
      can_send_message: number.canSend,
      entities: [
        { entity_type: 'PHONE_NUMBER', id: number.id, can_send_message: number.canSend, errors: number.healthErrors },
      ],
    },
  };
}

/** Sends a code to the number, which proves that it is the owner's. */
function requestCode(number: StandInNumber, { code_method: method, language }: Record<string, unknown>): object {
  if (method !== 'SMS' && method !== 'VOICE')
    throw new GraphError(100, '(#100) Param code_method must be SMS or VOICE');
  if (typeof language !== 'string' || !/^[a-z]{2}(_[A-Z]{2})?$/.test(language))
    throw new GraphError(100, '(#100) The parameter language is required.');
  if (number.isVerified) throw new GraphError(136024, '(#136024) The number is verified already');
  number.sentCode = String(randomInt(100_000, 999_999));
  return { success: true };
}

function verifyCode(number: StandInNumber, { code }: Record<string, unknown>): object {
  if (typeof code !== 'string' || !/^\d{6}$/.test(code))
    throw new GraphError(100, '(#100) Param code must be 6 digits');
  if (number.sentCode !== code) throw new GraphError(136025, '(#136025) The code is not the one that was sent');
  Object.assign(number, { isVerified: true, sentCode: null });
  return { success: true };
}

/** The pin is set where there was none; else it has to be the one. Ten calls in 72 hours. */
function register(number: StandInNumber, { pin, messaging_product: product }: Record<string, unknown>): object {
  if (number.isShared) throw new GraphError(100, '(#100) A number of the Business app is not registered');
  number.registerCalls += 1;
  if (number.registerCalls > registersPer72Hours)
    throw new GraphError(133016, '(#133016) Too many registration attempts');
  if (product !== 'whatsapp') throw new GraphError(100, '(#100) The parameter messaging_product is required.');
  if (typeof pin !== 'string' || !/^\d{6}$/.test(pin)) throw new GraphError(100, '(#100) Param pin must be 6 digits');
  if (!number.isVerified) throw new GraphError(133006, '(#133006) Phone number re-verification needed');
  if (number.pin !== null && number.pin !== pin)
    throw new GraphError(133005, '(#133005) Two step verification PIN Mismatch');
  number.pin = pin;
  number.isRegistered = true;
  return { success: true };
}

/**
 * The data of a number in the Business app is handed over once.
 * Source: developers.facebook.com/docs/whatsapp/embedded-signup/custom-flows/onboarding-business-app-users.
 */
function handOver(
  api: CloudApiStandIn,
  number: StandInNumber,
  { messaging_product: product, sync_type: part }: Record<string, unknown>,
): object {
  if (product !== 'whatsapp') throw new GraphError(100, '(#100) The parameter messaging_product is required.');
  if (part !== 'history' && part !== 'smb_app_state_sync')
    throw new GraphError(100, '(#100) Param sync_type must be one of {smb_app_state_sync, history}');
  if (!number.isShared) throw new GraphError(100, '(#100) The number is not in the Business app');
  if (number.handedOver.includes(part)) throw new GraphError(2593107, '(#2593107) The data was asked for before');
  number.handedOver.push(part);
  if (part === 'history' && number.chats.length > 0) {
    api.tell('history', {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: number.display, phone_number_id: number.id },
      history: [{ metadata: { phase: 0, chunk_order: 1, progress: 100 }, threads: number.chats }],
    });
  }
  return { messaging_product: 'whatsapp', request_id: String(randomInt(1e12, 9e12)) };
}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

async function upload(api: CloudApiStandIn, number: StandInNumber, { body, type }: GraphRequest): Promise<object> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  if (form.get('messaging_product') !== 'whatsapp')
    throw new GraphError(100, '(#100) The parameter messaging_product is required.');
  const file = form.get('file');
  if (!(file instanceof Blob)) throw new GraphError(100, '(#100) The parameter file is required.');
  const mimeType = stringOf(form.get('type')) ?? file.type;
  const { id } = api.media.add(number.id, { mimeType, bytes: Buffer.from(await file.arrayBuffer()), daysKept: 30 });
  return { id };
}

async function answerAccount(api: CloudApiStandIn, request: EdgeRequest): Promise<object> {
  const { method, edge, url } = request;
  const { account } = api;
  api.requireScope('whatsapp_business_management');
  if (edge === 'phone_numbers') return { data: [...account.numbers.values()].map(presentNumber) };
  if (edge === 'subscribed_apps') {
    if (method === 'POST') account.isSubscribed = true;
    if (method === 'POST') return { success: true };
    return {
      data: account.isSubscribed ? [{ whatsapp_business_api_data: { id: api.appId, name: 'Stand-in app' } }] : [],
    };
  }
  if (edge === 'message_templates') {
    if (method === 'POST') return createTemplate(api, json(request));
    if (method === 'DELETE') return deleteTemplates(api, url);
    return listTemplates(api, url);
  }
  if (edge === undefined && method === 'GET')
    return { id: account.id, name: 'Stand-in business', currency: 'USD', timezone_id: '1' };
  throw missing(method, request.path.join('/'));
}

function listTemplates(api: CloudApiStandIn, url: URL): object {
  const limit = Number(url.searchParams.get('limit') ?? 25);
  const after = url.searchParams.get('after');
  const all = [...api.account.templates.values()];
  const start = after === null ? 0 : all.findIndex(({ id }) => Buffer.from(id).toString('base64') === after) + 1;
  if (after !== null && start === 0) throw new GraphError(131059, '(#131059) Invalid paging cursor');
  const page = all.slice(start, start + limit);
  const last = page.at(-1);
  const hasNext = start + limit < all.length;
  const cursors = last ? { before: 'x', after: Buffer.from(last.id).toString('base64') } : undefined;
  return { data: page, paging: { cursors, ...(hasNext && { next: `${api.url}/next` }) } };
}

/** Pending until `decideTemplate`; what Meta refuses at once is a 2388xxx. */
function createTemplate(api: CloudApiStandIn, body: Record<string, unknown>): object {
  const { name, language, category, components, parameter_format: format } = body as Partial<StandInTemplate>;
  if (!name || !/^[a-z0-9_]{1,512}$/.test(name)) throw new GraphError(100, '(#100) Invalid parameter', 'name');
  if (!language || !category || !components)
    throw new GraphError(100, '(#100) Invalid parameter', 'language, category, components');
  const isTaken = [...api.account.templates.values()].some((one) => one.name === name && one.language === language);
  if (isTaken) throw new GraphError(2388024, 'There is already content in this language for this template');
  for (const component of components) requireExamples(component, format ?? 'POSITIONAL');
  requireHandle(api, components);
  const id = String(randomInt(1e12, 9e12));
  api.account.templates.set(id, {
    id,
    name,
    language,
    category,
    components,
    parameter_format: (format?.toUpperCase() as StandInTemplate['parameter_format'] | undefined) ?? 'POSITIONAL',
    status: 'PENDING',
    rejected_reason: 'NONE',
    quality_score: { score: 'UNKNOWN', date: 0 },
  });
  return { id, status: 'PENDING', category };
}

const partLimits: Readonly<Record<string, number>> = { HEADER: 60, BODY: 1024, FOOTER: 60 };

function requireExamples(component: StandInTemplate['components'][number], format: string): void {
  const { type, text = '', buttons = [] } = component;
  if (!['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type))
    throw new GraphError(100, '(#100) Invalid parameter', `components: ${type}`);
  if (text.length > (partLimits[type] ?? 0)) throw new GraphError(2388040, `The ${type} is too long`);
  if (/^\s*\{\{|\}\}\s*$/.test(text) && type === 'BODY')
    throw new GraphError(2388299, 'Variables cannot be at the start or end of the template');
  if (/\}\}\s*\{\{/.test(text)) throw new GraphError(2388294, 'Variables cannot stand side by side');
  if (buttons.length > 10 || buttons.some((button) => (button.text ?? '').length > 25))
    throw new GraphError(2388059, 'The buttons are too many or too long');
  if (buttons.some(({ url, example }) => /\{\{\w+\}\}/.test(url ?? '') && !example))
    throw new GraphError(2388043, 'A button of a template needs an example');
  checkExample(component, format.toUpperCase());
  const hasPlaceholder = /\{\{\w+\}\}/.test(component.text ?? '');
  const hasMedia = ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(component.format ?? '');
  if ((hasPlaceholder || hasMedia) && !component.example) {
    throw new GraphError(2388043, `The ${component.type} of a ${format} template needs an example`);
  }
}

/** A header of media shows the reviewer a file of the Resumable Upload API; the id of a message's file does not do. */
function requireHandle(api: CloudApiStandIn, components: StandInTemplate['components']): void {
  const header = components.find(
    ({ type, format }) => type === 'HEADER' && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(format ?? ''),
  );
  if (!header) return;
  const [handle] = (header.example?.['header_handle'] as unknown[] | undefined) ?? [];
  const isKnown = [...api.exampleUploads.values()].some((one) => one.handle !== undefined && one.handle === handle);
  if (!isKnown) throw new GraphError(2388273, 'The media handle of the header is not valid');
}

/** Named and positional examples have forms of their own; a list of positions stands in a list. */
function checkExample(
  { type, text, example, format: kind }: StandInTemplate['components'][number],
  format: string,
): void {
  if (!/\{\{\w+\}\}/.test(text ?? '') || !example || (kind ?? 'TEXT') !== 'TEXT') return;
  const part = type === 'HEADER' ? 'header' : 'body';
  const given = example[`${part}_text${format === 'NAMED' ? '_named_params' : ''}`];
  const names = new Set([...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
  const list: unknown = format === 'POSITIONAL' && part === 'body' ? (given as unknown[] | undefined)?.[0] : given;
  if (!Array.isArray(list) || list.length !== names.size)
    throw new GraphError(2388043, `The ${type} of a ${format} template needs an example of each variable`);
}

function editTemplate(api: CloudApiStandIn, template: StandInTemplate, request: GraphRequest): object {
  if (request.method === 'GET') return template;
  if (request.method !== 'POST') throw missing(request.method, template.id);
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
    throw new GraphError(100, '(#100) Only approved, rejected and paused templates can be edited');
  }
  const { components, category } = json(request) as Partial<StandInTemplate>;
  if (category && template.status === 'APPROVED')
    throw new GraphError(100, '(#100) The category of an approved template cannot be edited');
  for (const component of components ?? []) requireExamples(component, template.parameter_format);
  requireHandle(api, components ?? []);
  if (components) template.components = components;
  if (category) template.category = category;
  template.status = 'PENDING';
  api.account.templates.set(template.id, template);
  return { success: true };
}

/** A template that is not paused stays as it is, and Meta says why. */
function unpause(api: CloudApiStandIn, template: StandInTemplate): object {
  if (template.status !== 'PAUSED') return { success: false, reason: 'Template is not paused' };
  api.decideTemplate(template, 'APPROVED', { title: 'UNPAUSE' });
  return { success: true };
}

/** Every language of a name, or the one of an id. */
function deleteTemplates(api: CloudApiStandIn, url: URL): object {
  const name = url.searchParams.get('name');
  const only = url.searchParams.get('hsm_id');
  const gone = [...api.account.templates.values()].filter(
    (one) => one.name === name && (only === null || one.id === only),
  );
  if (gone.length === 0) throw missing('DELETE', name ?? '');
  for (const { id } of gone) api.account.templates.delete(id);
  return { success: true };
}

function json({ body }: GraphRequest): Record<string, unknown> {
  return body.length === 0 ? {} : (JSON.parse(body.toString()) as Record<string, unknown>);
}
