/** A code fence that is longer than any run of backticks in the text, so that the text cannot close it. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

/** The text as a code block, which Markdown shows as it is. */
export function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}`;
}

/** The text within a line of Markdown, without any formatting. */
export const inlineText = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/[\\`*_<>[\]#|~&!]/g, "\\$&");
