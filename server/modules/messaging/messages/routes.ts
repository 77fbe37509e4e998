import { sendBatch as sendBatchContract } from '#contracts/message-batches.ts';
import * as search from '#contracts/message-search.ts';
import * as contract from '#contracts/messages.ts';
import { listProfileMessages as profileMessages } from '#contracts/profiles.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { cancelMessage } from './cancel-message.ts';
import { sendBatch } from './deferred/send-batch.ts';
import { changeSent } from './change-sent.ts';
import { getMessage } from './get-message.ts';
import { listMessages } from './list-messages.ts';
import { listProfileMessages } from './list-profile-messages.ts';
import { receiveSandboxMessage } from './receiving/receive-message.ts';
import { exportMessages } from './search/export-messages.ts';
import { searchMessages } from './search/search-messages.ts';
import { boundToSender } from './present.ts';
import { sendMessage } from './send-message.ts';
import type { Sending } from './send-message.ts';

/** `Prefer: respond-async` (RFC 7240): the caller does not want to wait for the network. */
const prefersAsync = (prefer: string | undefined) =>
  prefer?.split(',').some((preference) => preference.trim().toLowerCase() === 'respond-async') ?? false;

export function messageRoutes(sending: Sending): Route[] {
  return [
    route(
      contract.sendMessage,
      async (ctx, { body, headers }, { reply }) => {
        const respondAsync = prefersAsync(headers.prefer);
        if (respondAsync) reply.header('preference-applied', 'respond-async');
        const asked = { ...body, idempotencyKey: headers['idempotency-key'], respondAsync };
        const { isReplay, ...answer } = await sendMessage(ctx, sending, asked);
        if (isReplay) reply.header('idempotent-replayed', 'true');
        return { ...answer, body: boundToSender(ctx, answer.body, body.to) };
      },
      // Bounded by capacity alone.
      { rateLimit: false },
    ),
    route(sendBatchContract, (ctx, { body }) => sendBatch(ctx, body)),
    route(search.searchMessages, (ctx, { query }) => searchMessages(ctx, query)),
    route(search.exportMessages, (ctx, { query }, { reply }) => {
      reply.header('content-disposition', 'attachment; filename="messages.csv"');
      return exportMessages(ctx, query);
    }),
    route(contract.cancelMessage, (ctx, { params }) => cancelMessage(ctx, params)),
    route(contract.editMessage, (ctx, { params, body }) =>
      changeSent(ctx, sending, { ...params, change: { type: 'edit', text: body.message, mentions: body.mentions } }),
    ),
    route(contract.deleteMessage, (ctx, { params }) =>
      changeSent(ctx, sending, { ...params, change: { type: 'deletion' } }),
    ),
    route(contract.getMessage, (ctx, { params }) => getMessage(ctx, params)),
    route(contract.listMessages, (ctx, { params, query }) => listMessages(ctx, { ...params, ...query })),
    route(profileMessages, (ctx, { params, query }) => listProfileMessages(ctx, { ...params, ...query })),
    route(contract.receiveSandboxMessage, (ctx, { params, body }) =>
      receiveSandboxMessage(ctx, { ...params, ...body }),
    ),
  ];
}
