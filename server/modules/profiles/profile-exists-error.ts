import { ConflictError } from '#server/platform/errors.ts';

export class ProfileExistsError extends ConflictError {
  constructor() {
    super('profile_exists', 'There is a profile with this number already');
  }
}
