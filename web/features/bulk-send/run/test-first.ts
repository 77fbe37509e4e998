import { ApiError, errorText } from '#web/shared/api-error.ts';
import { callApi, type Sender } from '#web/shared/api.ts';
import { randomId } from '#web/shared/random-id.ts';
import type { BulkSend } from './bulk-send.ts';
import { rowKey, rowMessage } from './row-message.ts';
import { firstSelected } from './selection.ts';
import type { Content } from './setup.ts';

type TestMessage = Content & { sender: Sender };

/** Sends the message to the first selected row and leaves its state as it was. Answers why it could not be sent. */
export async function testFirst(bulkSend: BulkSend, input: TestMessage): Promise<string | undefined> {
  const index = firstSelected(bulkSend);
  const contact = index === undefined ? undefined : bulkSend.getState().upload?.contacts[index];
  if (index === undefined || contact === undefined || contact.problem !== undefined) return 'Invalid number';
  const key = `bulk-test-${randomId()}`;
  try {
    const headers = { 'idempotency-key': key };
    const body = { to: contact.to, ...rowMessage(input, contact.fields) };
    const sent = await callApi('POST /api/send-message', { headers, body }, { sender: input.sender });
    if (sent.status === 'failed') return sent.error ?? 'Failed to send message';
  } catch (error) {
    return error instanceof ApiError && error.status !== 0
      ? refusalText(error)
      : errorText(error, 'Failed to send message');
  }
  bulkSend.change({ tested: { index, projectId: input.sender.id, key: rowKey(input, contact.fields) } });
  return undefined;
}

/** The server's own words, else the status. */
function refusalText({ status, code, message }: ApiError): string {
  return code === 'unexpected_answer' || message === '' ? `HTTP ${status}` : message;
}
