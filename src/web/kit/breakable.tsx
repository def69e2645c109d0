/** A text in which a long name wraps after a namespace rather than within a word. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[.\\:])(?=\w)/).map((part, index) => [index > 0 && <wbr key={part} />, part]);
