/** A mail. `text` is always there; `html` is its richer twin. */
export type Mail = { to: string; subject: string; text: string; html: string };

export type Mailer = {
  /** Resolves once the mail is handed over; rejects when it could not be. */
  send(mail: Mail): Promise<void>;
};
