/**
 * The first line of a message without what differs between occurrences: addresses, quoted texts, and words with
 * digits, such as numbers, dates and ids. It takes the place of a stack trace that does not exist, so that the server
 * groups thrown strings by their meaning.
 */
export function template(message: string): string {
  return message
    .trim()
    .slice(0, 300)
    .split("\n", 1)[0]!
    .replace(/\S+@\S+|(["'`]).*?\1|[\w.:-]*\d[\w.:-]*/g, "<…>");
}
