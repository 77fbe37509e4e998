export { holdMedia } from './hold-media.ts';
export { fetchUrl, UnreachableFileError } from './fetch-url.ts';
export { removeExpiredMedia } from './retain.ts';
export { mediaRoutes } from './routes.ts';
export { removeAbandoned } from './storing/spool.ts';
export { storeUpload } from './upload-media.ts';
