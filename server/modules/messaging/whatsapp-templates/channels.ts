/** Templates of a business account are to be read anew. */
export const templateSyncChannel = 'dovepost_template_sync';
