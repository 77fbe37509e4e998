import { ConflictError } from '#server/platform/errors.ts';

export class ProfileExistsError extends ConflictError {
  /** `profileId`: who has the number; undefined once that profile is gone again. */
  constructor(profileId: number | undefined) {
    super(
      'profile_exists',
      'There is a profile with this number already',
      profileId === undefined ? {} : { profileId },
    );
  }
}
