/** A mail. `text` is always there; `html` is its richer twin. */
export type Mail = { to: string; subject: string; text: string; html: string };

/** The mail server takes nothing for this address (SMTP 5xx to RCPT TO); others may have their mail. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

export type Mailer = {
  /** Resolves once the mail is handed over; rejects when it could not be, with `AddressRefusedError` for its address. */
  send(mail: Mail): Promise<void>;
};
