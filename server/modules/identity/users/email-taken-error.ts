import { isUniqueViolation } from '#server/platform/db/errors.ts';
import { ConflictError } from '#server/platform/errors.ts';

export class EmailTakenError extends ConflictError {
  constructor() {
    super('email_taken', 'That email address already has an account');
  }
}

/** The database decides who came first: nothing that is looked up before can. */
export async function refuseTakenEmail<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error)) throw new EmailTakenError();
    throw error;
  }
}
