type Values = { name: string; shop: string };

/** `{name}` and `{shop}` of the message with a row's own; what the row lacks is empty text. */
export function fillMessage(message: string, values: Values): string {
  return message.replaceAll(/\{(name|shop)\}/g, (_, placeholder: keyof Values) => values[placeholder]);
}

/** What looks like a placeholder and is none, as it is written: it would be sent literally. */
export function unknownPlaceholders(message: string): readonly string[] {
  const found = message.match(/\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}/gu) ?? [];
  return [...new Set(found)].filter((placeholder) => placeholder !== '{name}' && placeholder !== '{shop}');
}

/** The placeholders of the message, by the field that fills them. */
export function usedFields(message: string): readonly (keyof Values)[] {
  return (['name', 'shop'] as const).filter((field) => message.includes(`{${field}}`));
}
