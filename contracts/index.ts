import * as accounts from './accounts.ts';
import * as billing from './billing.ts';
import * as campaigns from './campaigns.ts';
import type { Endpoint } from './endpoint.ts';
import * as flows from './flows.ts';
import * as live from './live.ts';
import * as messageBatches from './message-batches.ts';
import * as messageSearch from './message-search.ts';
import * as messages from './messages.ts';
import * as openapi from './openapi.ts';
import * as phoneNumbers from './phone-numbers.ts';
import * as profileImports from './profile-imports.ts';
import * as profiles from './profiles.ts';
import * as projectKeys from './project-keys.ts';
import * as projects from './projects.ts';
import * as securityEvents from './security-events.ts';
import * as segments from './segments.ts';
import * as suppressions from './suppressions.ts';
import * as webhookEndpoints from './webhook-endpoints.ts';
import * as webhooks from './webhooks.ts';

function endpointsOf(module: Record<string, unknown>): Endpoint[] {
  return Object.values(module).filter(
    (value): value is Endpoint => typeof value === 'object' && value !== null && 'method' in value && 'path' in value,
  );
}

/** Every endpoint there is: the server mounts each once, and the OpenAPI document lists them. */
export const endpoints: readonly Endpoint[] = [
  accounts,
  securityEvents,
  billing,
  projects,
  projectKeys,
  phoneNumbers,
  messages,
  messageSearch,
  messageBatches,
  profiles,
  profileImports,
  suppressions,
  segments,
  campaigns,
  flows,
  webhooks,
  webhookEndpoints,
  live,
  openapi,
].flatMap(endpointsOf);
