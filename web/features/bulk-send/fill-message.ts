type Values = { name: string; shop: string };

/** `{name}` and `{shop}` of the message with a row's own; what the row lacks is empty text. */
export function fillMessage(message: string, values: Values): string {
  return message.replaceAll(/\{(name|shop)\}/g, (_, placeholder: keyof Values) => values[placeholder]);
}
