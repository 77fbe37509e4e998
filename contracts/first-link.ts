/** The first web address in a text, as people write it: what ends the sentence is not part of it. */
export function firstLink(text: string): string | undefined {
  const [found] = /https?:\/\/[^\s<>"]{4,2000}/i.exec(text) ?? [];
  return found?.replace(/[.,;:!?)\]}'*_~]+$/, '');
}
