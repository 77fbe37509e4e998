export { findInCells, noteInDirectory } from './directory.ts';
export { announceCell, fingerprintsOfAccounts, followDirectory } from './follow-directory.ts';
