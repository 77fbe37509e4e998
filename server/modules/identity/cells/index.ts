export { findInCells, findOtherCell, noteInDirectory, OtherCellError } from './directory.ts';
export { announceCell, fingerprintsOfAccounts, followDirectory } from './follow-directory.ts';
