import { cutCodePoints } from "./cut-code-points.ts";

/** Title and description for the issue created from an error group. */

export type DescribedGroup = {
  exception_class: string;
  latest_message: string;
  stack_trace: string;
  environment: string;
  occurrence_count: number;
  first_seen_at: string;
  last_seen_at: string;
};

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 65_535;

/** After a prefix. A title must be one line without control characters, so these become spaces. */
export function issueTitle(group: DescribedGroup, prefix = ""): string {
  // Line ends of two characters become one, so take twice the length.
  const message = cutCodePoints(group.latest_message, 2 * MAX_TITLE);
  return cutCodePoints(prefix + oneLine(`${group.exception_class}: ${message}`), MAX_TITLE);
}

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const BREAKS = /\r\n|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const oneLine = (text: string) => text.replace(BREAKS, " ");

/** Markdown of at most 65,535 characters, with a suffix. If it would be longer, only the trace is truncated. */
export function issueDescription(group: DescribedGroup, link: string, suffix = ""): string {
  const head = [
    `- Occurrences: ${group.occurrence_count}`,
    `- Environment: ${codeSpan(oneLine(group.environment))}`,
    `- First seen: ${withUtcOffset(group.first_seen_at)}`,
    `- Last seen: ${withUtcOffset(group.last_seen_at)}`,
    `- Error group: ${link}`,
    "",
    "",
  ].join("\n");
  return head + codeBlock(group.stack_trace, MAX_DESCRIPTION - head.length - suffix.length) + suffix;
}

/** Of a time from the database or from the API. */
const withUtcOffset = (timestamp: string) => timestamp.replace(/Z$/, "+00:00");

/** An inline code span. Its fence is longer than any run of backticks inside, so the text cannot close it. */
function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  return `${fence} ${text} ${fence}`;
}

/** A code block of at most `max` characters, including its fence, which is longer than any run of backticks inside. */
function codeBlock(text: string, max: number): string {
  const fenceOf = (body: string) => "`".repeat(Math.max(3, longestRun(body) + 1));
  const fits = (body: string) => countCodePoints(body) + 2 * fenceOf(body).length + 2 <= max;
  const whole = cutCodePoints(text, max);
  if (whole === text && fits(text)) return block(text, fenceOf(text));
  const room = max - 2 * fenceOf(whole).length - 4;
  // A trace of little but backticks needs a fence as long as itself before and after it.
  const cut = `${cutCodePoints(text, Math.max(room, Math.floor(max / 3) - 4))}\n…`;
  return block(cut, fenceOf(cut));
}

const block = (body: string, fence: string) => `${fence}\n${body}\n${fence}`;

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; count++) i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
