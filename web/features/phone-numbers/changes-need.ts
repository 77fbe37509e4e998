import { isSimulated } from '#contracts/connectors.ts';
import type { Permission } from '#contracts/permissions.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';

/** The permission to change a number: sandboxes are for developers, too. */
export const changesNeed = ({ connector }: Pick<PhoneNumber, 'connector'>): Permission =>
  isSimulated(connector) ? 'sandboxes:write' : 'phones:write';
