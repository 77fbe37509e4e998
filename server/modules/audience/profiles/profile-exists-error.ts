import { ConflictError } from '#server/platform/errors.ts';

export class ProfileExistsError extends ConflictError {
  /** `profileId`: who has the number; undefined once that profile is gone again. */
  constructor(profileId: number | undefined, by: 'number' | 'external id' = 'number') {
    super('profile_exists', `There is a profile with this ${by} already`, profileId === undefined ? {} : { profileId });
  }
}
