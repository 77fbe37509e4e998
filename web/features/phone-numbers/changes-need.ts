import { isSimulated, type ConnectorName } from '#contracts/connectors.ts';
import type { Permission } from '#contracts/permissions.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';

/** The permission to add a number of the kind, to connect it, and to delete it: sandboxes are for developers, too. */
export const connectingNeeds = (connector: ConnectorName): Permission =>
  isSimulated(connector) ? 'sandboxes:write' : 'phones:write';

/** The same of a number that is there. */
export const changesNeed = ({ connector }: Pick<PhoneNumber, 'connector'>): Permission => connectingNeeds(connector);
