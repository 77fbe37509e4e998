/** The file as a whole cannot be read; the message is a sentence for its owner. */
export class CsvError extends Error {}
