import type { ApiCall, ApiResponse } from './api/endpoints.ts';
import { nextOf, paged } from './paging.ts';
import type { Paged } from './paging.ts';
import { createTransport } from './transport.ts';
import type { DovepostOptions, RequestOptions, Transport } from './transport.ts';

type Body<Name extends Parameters<Transport['request']>[0]> = NonNullable<
  ApiCall<Name> extends { body?: infer B } ? B : never
>;
type Query<Name extends Parameters<Transport['request']>[0]> = NonNullable<
  ApiCall<Name> extends { query?: infer Q } ? Q : never
>;
type Item<Name extends Parameters<Transport['request']>[0]> =
  ApiResponse<Name> extends { data: (infer T)[] } ? T : never;

/**
 * A client of one account or project. Every method throws `DovepostError` for a refusal; requests that may be sent
 * again are, and each POST carries an Idempotency-Key of its own. `request` reaches every endpoint that has no method
 * here.
 */
export function createDovepost(options: DovepostOptions) {
  const transport = createTransport(options);
  const { request } = transport;
  const inProject = createProjectLookup(transport, options);

  const listEvents = (
    query: Query<'GET /api/projects/{projectId}/events'> = {},
  ): Paged<Item<'GET /api/projects/{projectId}/events'>> =>
    paged(async (next: number | undefined) => {
      const params = await inProject();
      const after = next ?? query.after_sequence ?? 0;
      const page = await request('GET /api/projects/{projectId}/events', {
        params,
        query: { ...query, after_sequence: after },
      });
      return { data: page.data, next: page.data.length > 0 ? page.next_after : undefined };
    });

  return {
    ...transport,
    messages: {
      /** Sends a text now, or at `send_at`; waits up to 15 s for the network. Its status may still be `pending`. */
      send: (
        body: Body<'POST /api/send-message'>,
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/send-message'>> => request('POST /api/send-message', { body }, requestOptions),
      /** Up to 1,000 messages, each sent as soon as a phone has room; a line of the answer each. */
      sendBatch: async (
        messages: Body<'POST /api/messages/batch'>['messages'],
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/messages/batch'>['data']> =>
        (await request('POST /api/messages/batch', { body: { messages } }, requestOptions)).data,
      get: (messageId: number): Promise<ApiResponse<'GET /api/messages/{messageId}'>> =>
        request('GET /api/messages/{messageId}', { params: { messageId } }),
      /** Takes back one that is scheduled or waits. */
      cancel: (messageId: number): Promise<ApiResponse<'POST /api/messages/{messageId}/cancel'>> =>
        request('POST /api/messages/{messageId}/cancel', { params: { messageId } }),
      list: (query: Query<'GET /api/messages'> = {}): Paged<Item<'GET /api/messages'>> =>
        paged(async (after: string | undefined) => {
          const page = await request('GET /api/messages', {
            query: { ...query, ...(after !== undefined && { after }) },
          });
          return { data: page.data, next: page.next_cursor ?? undefined };
        }),
    },
    media: {
      /** Stores a file for messages to carry; its type is that of the Blob. */
      upload: (
        file: Blob,
        query: Query<'POST /api/media'> = {},
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/media'>> => request('POST /api/media', { query }, { ...requestOptions, file }),
      download: (mediaId: string): Promise<Response> =>
        transport.open('GET /api/media/{mediaId}', { params: { mediaId } }),
    },
    profiles: {
      list: (query: Query<'GET /api/profiles'> = {}): Paged<Item<'GET /api/profiles'>> =>
        paged(async (next: number | undefined) =>
          nextOf(await request('GET /api/profiles', { query: { ...query, page: next ?? 1 } })),
        ),
      create: (
        body: Body<'POST /api/profiles'>,
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/profiles'>> => request('POST /api/profiles', { body }, requestOptions),
      /** Creates the profile of a number, or changes what is named. */
      upsert: (body: Body<'PUT /api/profiles'>): Promise<ApiResponse<'PUT /api/profiles'>> =>
        request('PUT /api/profiles', { body }),
      get: (profileId: number): Promise<ApiResponse<'GET /api/profiles/{profileId}'>> =>
        request('GET /api/profiles/{profileId}', { params: { profileId } }),
      update: (
        profileId: number,
        body: Body<'PUT /api/profiles/{profileId}'>,
      ): Promise<ApiResponse<'PUT /api/profiles/{profileId}'>> =>
        request('PUT /api/profiles/{profileId}', { params: { profileId }, body }),
      delete: (profileId: number): Promise<ApiResponse<'DELETE /api/profiles/{profileId}'>> =>
        request('DELETE /api/profiles/{profileId}', { params: { profileId } }),
      /** The history of a person, the latest first. */
      timeline: (
        profileId: number,
        query: Query<'GET /api/profiles/{profileId}/timeline'> = {},
      ): Paged<Item<'GET /api/profiles/{profileId}/timeline'>> =>
        paged(async (after: string | undefined) => {
          const page = await request('GET /api/profiles/{profileId}/timeline', {
            params: { profileId },
            query: { ...query, ...(after !== undefined && { after }) },
          });
          return { data: page.data, next: page.next_cursor ?? undefined };
        }),
      /** Uploads a CSV file; `imports.check` and `imports.run` go on from there. */
      upload: (
        csv: Blob | string,
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/profiles/import'>> =>
        request('POST /api/profiles/import', undefined, {
          ...requestOptions,
          file: new Blob([csv], { type: 'text/csv' }),
        }),
    },
    tracking: {
      /** Says what a person did; with a `message_id` of your own it may be called again. */
      track: (body: Body<'POST /api/track'>): Promise<ApiResponse<'POST /api/track'>> =>
        request('POST /api/track', { body }),
      /** Up to 500 events; a line of the answer each. */
      trackBatch: async (
        events: Body<'POST /api/events/batch'>['events'],
      ): Promise<ApiResponse<'POST /api/events/batch'>['data']> =>
        (await request('POST /api/events/batch', { body: { events } })).data,
      /** Says who a person is, by any of three ids. */
      identify: (body: Body<'POST /api/identify'>): Promise<ApiResponse<'POST /api/identify'>> =>
        request('POST /api/identify', { body }),
      events: (query: Query<'GET /api/events'> = {}): Paged<Item<'GET /api/events'>> =>
        paged(async (after: string | undefined) => {
          const page = await request('GET /api/events', { query: { ...query, ...(after !== undefined && { after }) } });
          return { data: page.data, next: page.next_cursor ?? undefined };
        }),
      names: (query: Query<'GET /api/event-names'> = {}): Promise<ApiResponse<'GET /api/event-names'>> =>
        request('GET /api/event-names', { query }),
    },
    imports: {
      get: (importId: number): Promise<ApiResponse<'GET /api/profiles/imports/{importId}'>> =>
        request('GET /api/profiles/imports/{importId}', { params: { importId } }),
      check: (
        importId: number,
        body: Body<'POST /api/profiles/imports/{importId}/check'>,
      ): Promise<ApiResponse<'POST /api/profiles/imports/{importId}/check'>> =>
        request('POST /api/profiles/imports/{importId}/check', { params: { importId }, body }),
      run: (importId: number): Promise<ApiResponse<'POST /api/profiles/imports/{importId}/run'>> =>
        request('POST /api/profiles/imports/{importId}/run', { params: { importId } }),
    },
    segments: {
      list: async (): Promise<ApiResponse<'GET /api/segments'>['data']> => (await request('GET /api/segments')).data,
      create: (
        body: Body<'POST /api/segments'>,
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/segments'>> => request('POST /api/segments', { body }, requestOptions),
    },
    campaigns: {
      list: async (): Promise<ApiResponse<'GET /api/campaigns'>['data']> => (await request('GET /api/campaigns')).data,
      create: (
        body: Body<'POST /api/campaigns'>,
        requestOptions?: RequestOptions,
      ): Promise<ApiResponse<'POST /api/campaigns'>> => request('POST /api/campaigns', { body }, requestOptions),
      get: (campaignId: number): Promise<ApiResponse<'GET /api/campaigns/{campaignId}'>> =>
        request('GET /api/campaigns/{campaignId}', { params: { campaignId } }),
      pause: (campaignId: number): Promise<ApiResponse<'POST /api/campaigns/{campaignId}/pause'>> =>
        request('POST /api/campaigns/{campaignId}/pause', { params: { campaignId } }),
      resume: (campaignId: number): Promise<ApiResponse<'POST /api/campaigns/{campaignId}/resume'>> =>
        request('POST /api/campaigns/{campaignId}/resume', { params: { campaignId } }),
      cancel: (campaignId: number): Promise<ApiResponse<'POST /api/campaigns/{campaignId}/cancel'>> =>
        request('POST /api/campaigns/{campaignId}/cancel', { params: { campaignId } }),
    },
    /** The project that paths name. */
    projectId: async () => (await inProject()).projectId,
    events: {
      /** Events after a sequence, oldest first, without gaps; the iteration ends at the newest event. */
      list: listEvents,
    },
    webhooks: {
      endpoints: async (): Promise<ApiResponse<'GET /api/projects/{projectId}/webhook-endpoints'>['data']> =>
        (await request('GET /api/projects/{projectId}/webhook-endpoints', { params: await inProject() })).data,
      createEndpoint: async (
        body: Body<'POST /api/projects/{projectId}/webhook-endpoints'>,
      ): Promise<ApiResponse<'POST /api/projects/{projectId}/webhook-endpoints'>> =>
        request('POST /api/projects/{projectId}/webhook-endpoints', { params: await inProject(), body }),
      updateEndpoint: async (
        endpointId: number,
        body: Body<'PUT /api/projects/{projectId}/webhook-endpoints/{endpointId}'>,
      ): Promise<ApiResponse<'PUT /api/projects/{projectId}/webhook-endpoints/{endpointId}'>> =>
        request('PUT /api/projects/{projectId}/webhook-endpoints/{endpointId}', {
          params: { ...(await inProject()), endpointId },
          body,
        }),
      deleteEndpoint: async (
        endpointId: number,
      ): Promise<ApiResponse<'DELETE /api/projects/{projectId}/webhook-endpoints/{endpointId}'>> =>
        request('DELETE /api/projects/{projectId}/webhook-endpoints/{endpointId}', {
          params: { ...(await inProject()), endpointId },
        }),
      test: async (
        endpointId: number,
      ): Promise<ApiResponse<'POST /api/projects/{projectId}/webhook-endpoints/{endpointId}/test'>> =>
        request('POST /api/projects/{projectId}/webhook-endpoints/{endpointId}/test', {
          params: { ...(await inProject()), endpointId },
        }),
      /** Delivers again what was recorded since a time, under the same ids. */
      replay: async (
        body: Body<'POST /api/projects/{projectId}/webhooks/replay'>,
      ): Promise<ApiResponse<'POST /api/projects/{projectId}/webhooks/replay'>> =>
        request('POST /api/projects/{projectId}/webhooks/replay', { params: await inProject(), body }),
      /** Delivers one record again. */
      retry: (webhookId: number): Promise<ApiResponse<'POST /api/webhooks/{webhookId}/retry'>> =>
        request('POST /api/webhooks/{webhookId}/retry', { params: { webhookId } }),
    },
  };
}

export type Dovepost = ReturnType<typeof createDovepost>;

/** The project that paths name: the one that was given, else the account's own, looked up once. */
function createProjectLookup({ request }: Transport, { projectId, apiKey }: DovepostOptions) {
  let found: Promise<{ projectId: number }> | undefined;
  async function lookUp(): Promise<{ projectId: number }> {
    if (projectId !== undefined) return { projectId };
    if (!apiKey) throw new TypeError('Give a projectId: a key of a project does not say which one it is of');
    const { data } = await request('GET /api/projects');
    const [first] = data;
    if (!first || data.length > 1) throw new TypeError(`Give a projectId: the account has ${data.length} projects`);
    return { projectId: first.id };
  }
  return () => {
    // A failed lookup is not cached.
    found ??= lookUp().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}
