export { findReviewed, isSameCarried, keepCarried, requireCarriedText, takeCarried } from './carried.ts';
export { holdMedia } from './hold-media.ts';
export { fetchUrl, UnreachableFileError } from './fetch-url.ts';
export { mediaAccessOf } from './media-access.ts';
export { removeExpiredMedia } from './retain.ts';
export { mediaRoutes } from './routes.ts';
export { storeIncoming } from './store-incoming.ts';
export { removeAbandoned, requireFreeSpace } from './storing/spool.ts';
export { storeUpload } from './upload-media.ts';
