import { unscannedWords } from '#contracts/phone-numbers.ts';

/**
 * The life of a linked phone as a table: everything that can happen to its connection, and what follows. The sentences
 * say what it means and what to do; `docs/phone-states.md` shows the same table to people.
 *
 * A link is the customer's: its credentials go only where WhatsApp itself says that the link is gone, or its owner asks.
 */
export type LifeRule = {
  /** Describes the event for people. */
  when: string;
  /** The failure or stream error codes that say so. */
  codes?: readonly number[];
  /** `retry`: reconnects by itself, with backoff or at once; `wait`: once the time that was named is over; or the end. */
  outcome: 'retry' | 'retry_at_once' | 'wait' | 'disconnected' | 'auth_failed' | 'banned';
  credentials: 'kept' | 'deleted';
  sentence: string;
};

const lost = 'The connection to WhatsApp was lost. It is taken up again by itself; nothing is to be done.';

export const lifeRules = {
  restart_required: {
    when: 'WhatsApp asks for a new connection, as after every scan',
    codes: [515],
    outcome: 'retry_at_once',
    credentials: 'kept',
    sentence: 'WhatsApp asked for a new connection.',
  },
  logged_out: {
    when: 'The device was removed on the handset, or the account was signed out',
    codes: [401],
    outcome: 'auth_failed',
    credentials: 'deleted',
    sentence: 'This device was removed from the WhatsApp account. Link the phone again.',
  },
  locked_for_a_time: {
    when: 'WhatsApp locks the account for a time',
    codes: [402],
    outcome: 'wait',
    credentials: 'kept',
    sentence:
      'WhatsApp has locked this account for a time. It connects by itself afterwards; write to fewer strangers then.',
  },
  banned: {
    when: 'WhatsApp bans the account',
    codes: [403, 406],
    outcome: 'banned',
    credentials: 'kept',
    sentence:
      'WhatsApp has banned this account. Open WhatsApp on the handset and ask for a review; then connect again.',
  },
  version_refused: {
    when: 'Our version of WhatsApp Web is too old',
    codes: [405],
    outcome: 'retry',
    credentials: 'kept',
    sentence: 'WhatsApp refused this version of WhatsApp Web. A newer one is fetched and tried; nothing is to be done.',
  },
  client_refused: {
    when: 'WhatsApp refuses the program',
    codes: [409],
    outcome: 'disconnected',
    credentials: 'kept',
    sentence: 'WhatsApp refuses connections of this program at present. Update Dovepost, then connect again.',
  },
  no_linked_devices: {
    when: 'The account takes no linked devices',
    codes: [411],
    outcome: 'auth_failed',
    credentials: 'kept',
    sentence: 'This WhatsApp account takes no linked devices. Update WhatsApp on the handset, then connect again.',
  },
  replaced: {
    when: 'Another connection of the same device',
    codes: [440],
    outcome: 'retry',
    credentials: 'kept',
    sentence: 'Another program connected as this device. It is tried again by itself.',
  },
  replaced_again: {
    when: 'The same, five times without a minute between',
    outcome: 'disconnected',
    credentials: 'kept',
    sentence: 'Another program keeps connecting as this device. Stop it, then connect again.',
  },
  server_trouble: {
    when: 'WhatsApp refuses without a reason, or with one we do not know',
    codes: [500, 503],
    outcome: 'retry',
    credentials: 'kept',
    sentence: 'WhatsApp has trouble of its own. The connection is taken up again by itself; nothing is to be done.',
  },
  pairing_failed: {
    when: 'Linking fails three times in a row',
    outcome: 'auth_failed',
    credentials: 'kept',
    sentence: 'The answer to the QR code could not be verified. Link the phone again.',
  },
  codes_ran_out: {
    when: 'No QR code was scanned in time',
    outcome: 'disconnected',
    credentials: 'kept',
    sentence: unscannedWords,
  },
  upgrade_refused: {
    when: 'The connection is refused over HTTP',
    outcome: 'retry',
    credentials: 'kept',
    sentence: 'WhatsApp could not be reached. The connection is tried again by itself; nothing is to be done.',
  },
  proxy_failed: {
    when: "The phone's proxy cannot be used",
    outcome: 'retry',
    credentials: 'kept',
    sentence:
      'The proxy of this phone could not be used: connection refused. It is tried again by itself; change it under Edit.',
  },
  no_answer: {
    when: 'WhatsApp does not answer for a minute while connecting',
    outcome: 'retry',
    credentials: 'kept',
    sentence: 'WhatsApp did not answer. The connection is tried again by itself; nothing is to be done.',
  },
  connection_lost: { when: 'Anything else', outcome: 'retry', credentials: 'kept', sentence: lost },
  passkey: {
    when: 'The account asks for a passkey while linking',
    outcome: 'auth_failed',
    credentials: 'kept',
    sentence:
      'This WhatsApp account asks for a passkey when a device is linked, which cannot be answered here. ' +
      'Turn the passkey requirement off in WhatsApp if it lets you, or use another number.',
  },
  not_stored: {
    when: 'What came or changed could not be stored',
    outcome: 'retry',
    credentials: 'kept',
    sentence: 'What WhatsApp sent could not be stored. It is asked for again by itself.',
  },
  taken_over: {
    when: "The phone's lease went to another process",
    outcome: 'disconnected',
    credentials: 'kept',
    sentence: 'Another process took this phone over.',
  },
} as const satisfies Record<string, LifeRule>;

export type LifeEvent = keyof typeof lifeRules;

/** The event that a failure or stream error code stands for; undefined for codes that say nothing of their own. */
export function eventOfCode(code: number): LifeEvent | undefined {
  return Object.entries<LifeRule>(lifeRules).find(([, { codes }]) => codes?.includes(code))?.[0] as
    | LifeEvent
    | undefined;
}
