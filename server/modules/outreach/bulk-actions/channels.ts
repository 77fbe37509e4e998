/** A bulk action is to be worked on. No payload. */
export const bulkActionsChannel = 'dovepost_bulk_actions';
