import type { Endpoints } from './contracts.ts';

export type { Endpoints };

/** Method and path of an endpoint, such as `GET /api/projects/{projectId}`. */
export type EndpointName = keyof Endpoints;

export type ApiCall<Name extends EndpointName> = Endpoints[Name]['call'];
export type ApiResponse<Name extends EndpointName> = Endpoints[Name]['response'];

/** The call may be left out where nothing in it is needed. */
export type CallArguments<Name extends EndpointName, Options> =
  object extends ApiCall<Name> ? [call?: ApiCall<Name>, options?: Options] : [call: ApiCall<Name>, options?: Options];
