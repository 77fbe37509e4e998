/** A sentence that quotes: what stands between quotation marks was typed by somebody, and keeps its own direction. */
export function Sentence({ text }: { text: string }) {
  return text
    .split(/(?<=[“"])(.*)(?=[”"])/u)
    .map((part, index) => (index % 2 === 1 ? <bdi key={index}>{part}</bdi> : part));
}
