/**
 * The first line of a message without the parts that differ between occurrences: addresses, quoted texts, and words with digits,
 * such as numbers, dates and ids. It replaces the stack trace of thrown strings, so that the server groups them by their meaning.
 */
export function template(message: string): string {
  return message
    .trim()
    .slice(0, 300)
    .split("\n", 1)[0]!
    .replace(/\S+@\S+|(["'`]).*?\1|[\w.:-]*\d[\w.:-]*/g, "<…>");
}
