/**
 * What a caller does about a refusal:
 * - `no`: the same request is refused again; change it first;
 * - `yes`: send the same request again, after `Retry-After` where there is one, with the same `Idempotency-Key`;
 * - `later`: send it again once what `action` names has happened.
 */
export type Retry = 'no' | 'yes' | 'later';

type Guide = { readonly status: number; readonly retry: Retry; readonly meaning: string; readonly action: string };

const guide = (status: number, retry: Retry, meaning: string, action: string): Guide => ({
  status,
  retry,
  meaning,
  action,
});

/** Every problem code: its HTTP status, what it means, and what to do. The documentation and the links in problems read it. */
export const problemGuide = {
  malformed_request: guide(400, 'no', 'The request cannot be read as HTTP.', 'Send it with a well-kept HTTP client.'),
  malformed_json: guide(400, 'no', 'The body is not valid JSON.', 'Serialise the body with a JSON library.'),
  malformed_event: guide(400, 'no', 'The payment event cannot be read.', 'For the payment provider alone.'),
  missing_signature: guide(400, 'no', 'The payment event carries no signature.', 'For the payment provider alone.'),
  unauthenticated: guide(
    401,
    'no',
    'There is no session token or API key, or it is unknown.',
    'Send the api_key in `authorization`, or sign in again.',
  ),
  invalid_auth_key: guide(
    401,
    'no',
    'There is no project key in `x-auth-key`, or it is unknown.',
    'Take the key from the project page; a rotated one stops after its overlap.',
  ),
  key_expired: guide(401, 'no', 'The key was given an end, and it has passed.', 'Make another key.'),
  wrong_key_kind: guide(
    401,
    'no',
    'The key is of the other kind: an api_key in `x-auth-key`, or a project key in `authorization`.',
    'Move it to the header that the message names.',
  ),
  invalid_credentials: guide(401, 'no', 'The email address or the password is wrong.', 'Ask for them again.'),
  invalid_signature: guide(401, 'no', 'The payment event is not from the provider.', 'For the payment provider alone.'),
  subscription_required: guide(
    402,
    'later',
    'The account has no active subscription.',
    'Subscribe; messages that were accepted wait and are not lost.',
  ),
  payment_not_approved: guide(402, 'later', 'The payer has not approved the order.', 'Capture it after the approval.'),
  missing_scope: guide(
    403,
    'no',
    'The key lacks a scope; the message names it.',
    'Make a key with that scope, or use another key.',
  ),
  session_required: guide(403, 'no', 'Only a signed-in person may do this, not a key.', 'Do it in the dashboard.'),
  address_not_allowed: guide(
    403,
    'no',
    'The key may be used from other addresses alone.',
    'Add the address of your server to the key.',
  ),
  not_found: guide(
    404,
    'no',
    'There is no such thing, or it is not yours.',
    'Check the id, the path and whose key you use.',
  ),
  order_not_found: guide(404, 'no', 'There is no such order.', 'Create an order first.'),
  plan_not_found: guide(404, 'no', 'There is no such plan.', 'Use the plan id that `GET /api/user/me` shows.'),
  paypal_payments_off: guide(404, 'no', 'This server does not take PayPal payments.', 'Nothing.'),
  test_payments_off: guide(404, 'no', 'This server does not take test payments.', 'Nothing.'),
  method_not_allowed: guide(405, 'no', 'The path takes other methods.', 'Use one that the `allow` header names.'),
  request_timeout: guide(408, 'yes', 'The request took too long to arrive.', 'Send it again.'),
  idempotency_conflict: guide(
    409,
    'no',
    'The Idempotency-Key came before with another request.',
    'Use a new key for each thing that is to happen once.',
  ),
  idempotency_in_progress: guide(
    409,
    'yes',
    'The first request with this Idempotency-Key is still under way.',
    'Send it again, with the same key, after a few seconds.',
  ),
  email_taken: guide(409, 'no', 'Another account has this email address.', 'Sign in, or use another address.'),
  not_subscribed: guide(409, 'no', 'There is no subscription to cancel.', 'Nothing.'),
  already_subscribed: guide(409, 'no', 'The account is subscribed already.', 'Nothing.'),
  not_cancelled: guide(409, 'no', 'The subscription is not cancelled.', 'Nothing.'),
  cancelled_for_good: guide(409, 'no', 'The provider has ended the subscription.', 'Create a new order.'),
  subscription_changing: guide(409, 'yes', 'Another change of the subscription is under way.', 'Try again shortly.'),
  project_limit: guide(409, 'no', 'The plan has no room for another project.', 'Use the project that you have.'),
  key_limit: guide(409, 'no', 'The project has as many keys as it may have.', 'Delete one that is not used.'),
  endpoint_limit: guide(409, 'no', 'The project has as many endpoints as it may have.', 'Delete one first.'),
  no_proxy: guide(409, 'no', 'The phone number has no proxy to try.', 'Save one first.'),
  phone_exists: guide(409, 'no', 'The project has this phone number already.', 'Use the one that is there.'),
  profile_exists: guide(
    409,
    'no',
    'A profile has this number already; `profile_id` names it.',
    'Change that profile, or use `PUT /api/profiles`.',
  ),
  already_connected: guide(409, 'no', 'The phone is linked already.', 'Nothing.'),
  pairing_unavailable: guide(409, 'no', 'This phone cannot be linked with a pairing code.', 'Scan the QR code.'),
  not_a_sandbox_phone: guide(409, 'no', 'Only sandbox phones can play incoming messages.', 'Use a sandbox phone.'),
  not_cancellable: guide(409, 'no', 'The message has left, or it has failed.', 'Read its status.'),
  no_connected_phone: guide(
    409,
    'later',
    'No phone number of the project is connected.',
    'Connect one; `phone.connected` tells when it is back. A batch or `send_at` waits by itself.',
  ),
  phones_inactive: guide(409, 'later', 'The connected phone numbers are switched off.', 'Switch one on.'),
  sandbox_resting: guide(
    409,
    'later',
    'Only a sandbox is connected, and the project has a real phone.',
    'Connect the real phone again, or try things out in another project.',
  ),
  phones_limited: guide(
    409,
    'later',
    'WhatsApp restricts the phone numbers of the project for now.',
    'Wait until the moment in the message; `sending.until` of the project has it too.',
  ),
  must_write_first: guide(
    409,
    'no',
    'WhatsApp takes a message to this number only once it has written to you.',
    'Wait until the person writes, or reach them another way.',
  ),
  campaign_finished: guide(409, 'no', 'The campaign is over.', 'Create another one.'),
  campaign_not_running: guide(409, 'no', 'The campaign does not run.', 'Read its status.'),
  campaign_not_paused: guide(409, 'no', 'The campaign is not paused.', 'Read its status.'),
  campaign_started: guide(
    409,
    'no',
    'Segment and project are fixed once a message was sent.',
    'Change the text alone, or create another campaign.',
  ),
  import_running: guide(409, 'later', 'The import is being checked or run.', 'Wait until its status says so.'),
  no_webhook_url: guide(409, 'no', 'The project has no webhook URL.', 'Save one.'),
  webhook_disabled: guide(409, 'no', 'The webhook was switched off, as it kept failing.', 'Save its URL again.'),
  body_too_large: guide(413, 'no', 'The body is over 1 MiB.', 'Split it.'),
  file_too_large: guide(413, 'no', 'The file is too large.', 'Split it.'),
  unsupported_media_type: guide(
    415,
    'no',
    'The body has another content type.',
    'Send `content-type: application/json`, or `text/csv` for an import.',
  ),
  expectation_failed: guide(417, 'no', 'The `expect` header asks for something unknown.', 'Leave it out.'),
  invalid_input: guide(422, 'no', 'Something in the request is not valid; `errors` names each field.', 'Mend those.'),
  invalid_reset_token: guide(422, 'no', 'The link was used or is too old.', 'Ask for another one.'),
  invalid_email_link: guide(422, 'no', 'The link was used or is too old.', 'Ask for another one.'),
  invalid_csv: guide(422, 'no', 'The file is not CSV in UTF-8 with a header row.', 'Save it as such.'),
  opted_out: guide(
    409,
    'no',
    'The recipient opted out.',
    'Respect it; `override_opt_out` is for what you have to send, where the body takes it.',
  ),
  not_on_whatsapp: guide(422, 'no', 'The number is not on WhatsApp.', 'Reach the person another way.'),
  too_many_requests: guide(429, 'yes', 'Too many requests in this minute.', 'Wait for `Retry-After`.'),
  too_many_attempts: guide(429, 'yes', 'Too many attempts failed.', 'Wait for `Retry-After`.'),
  too_many_queries: guide(429, 'yes', 'Too many reads of the account wait.', 'Read one after the other.'),
  too_many_exports: guide(429, 'yes', 'Another export of the account runs.', 'Wait for it to end.'),
  too_many_waiting: guide(429, 'later', 'Too many messages of the project wait.', 'Wait until some have left.'),
  daily_limit_reached: guide(
    429,
    'later',
    'Every connected phone number has reached its maximum for today.',
    'Wait for `Retry-After`, raise the maximum, or send a batch, which waits by itself.',
  ),
  storage_quota_reached: guide(413, 'later', 'The account stores as many files as it may.', 'Delete old imports.'),
  headers_too_large: guide(431, 'no', 'The headers are too large.', 'Send fewer.'),
  internal_error: guide(500, 'yes', 'A fault of ours.', 'Send it again; tell us the `request_id` if it stays.'),
  network_refused: guide(
    502,
    'later',
    'The messaging network refused the message; the message has its reason.',
    'The message is stored as failed: send a new one, without the old Idempotency-Key, when the reason is gone.',
  ),
  link_failed: guide(502, 'yes', 'WhatsApp did not answer with a code.', 'Try again in a minute.'),
  account_restricted: guide(
    502,
    'later',
    'WhatsApp restricts the phone number that was to send it.',
    'Let another phone send, or wait; the message is stored as failed.',
  ),
  look_ups_paused: guide(
    502,
    'later',
    'WhatsApp answers too few questions about numbers at present.',
    'Send it again in some minutes; the message is stored as failed.',
  ),
  delivery_unknown: guide(
    502,
    'no',
    'The connection broke while it was sent: it may have arrived.',
    'Ask the recipient, or accept that a second message may be a double.',
  ),
  phone_deleted: guide(502, 'no', 'Its phone number was deleted before it was sent.', 'Send a new message.'),
  payments_unavailable: guide(503, 'yes', 'The payment provider cannot be reached.', 'Try again in a minute.'),
  busy: guide(503, 'yes', 'The server has too much to do.', 'Wait for `Retry-After`.'),
  too_costly: guide(503, 'later', 'The question takes too long for the profiles that you have.', 'Ask a simpler one.'),
  database_unavailable: guide(503, 'yes', 'The database cannot be reached.', 'Wait for `Retry-After`.'),
  storage_full: guide(503, 'yes', 'There is no room to store anything; reading works.', 'Wait for `Retry-After`.'),
  storage_low: guide(507, 'yes', 'There is too little room to store files.', 'Try again later.'),
} as const satisfies Record<string, Guide>;

export type ProblemCode = keyof typeof problemGuide;

/** Where the documentation explains a code, from the server's root. */
export const problemDocsPath = (code: string): string => `/docs/errors#${code}`;
