export type {
  BulkRun,
  Campaign,
  ContactOptOut,
  CurrentSubscription,
  FinishedImport,
  Message,
  PhoneNumber,
  TrackedEvent,
  WebhookEventType,
} from './api/contracts.ts';
export type { ApiCall, ApiResponse, EndpointName, Endpoints } from './api/endpoints.ts';
export { createDovepost } from './client.ts';
export type { Dovepost } from './client.ts';
export { DovepostError } from './core/dovepost-error.ts';
export type { Paged } from './paging.ts';
export type { DovepostOptions, RequestOptions, Transport } from './transport.ts';
export { InvalidSignatureError, verifyWebhook } from './webhooks.ts';
export type { VerifyWebhook, WebhookEvent } from './webhooks.ts';
