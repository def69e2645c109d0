import { cutCodePoints } from "../../../shared/text.ts";
import { offset } from "./columns.ts";

/** An error group in words: the title and the description of the issue it becomes (service.md 4.4). */

export type Pictured = {
  exception_class: string;
  latest_message: string;
  stack_trace: string;
  environment: string;
  occurrence_count: number;
  first_seen_at: string;
  last_seen_at: string;
};

const TITLE = 255;
const DESCRIPTION = 65_535;

/** One line, so that it is a title an issue may have: line ends and other control characters become blanks. */
export function issueTitle(group: Pictured): string {
  // Enough of the message even if every line end of it is two characters.
  const message = cutCodePoints(group.latest_message, 2 * TITLE);
  return cutCodePoints(oneLine(`${group.exception_class}: ${message}`), TITLE);
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const BREAKS = /\r\n|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const oneLine = (text: string) => text.replace(BREAKS, " ");

/** Markdown, at most 65,535 characters: when it would be longer the trace is cut, never the rest. */
export function issueDescription(group: Pictured, link: string): string {
  const head = [
    `- Occurrences: ${group.occurrence_count}`,
    `- Environment: ${codeSpan(oneLine(group.environment))}`,
    `- First seen: ${offset(group.first_seen_at)}`,
    `- Last seen: ${offset(group.last_seen_at)}`,
    `- Error group: ${link}`,
    "",
    "",
  ].join("\n");
  return head + codeBlock(group.stack_trace, DESCRIPTION - head.length);
}

/** Literal text in a line: as many backticks around it as nothing in it can close. */
function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  return `${fence} ${text} ${fence}`;
}

/** Literal lines, at most `max` characters with their fence, which is longer than any run of backticks inside. */
function codeBlock(text: string, max: number): string {
  const fenceOf = (body: string) => "`".repeat(Math.max(3, longestRun(body) + 1));
  const fits = (body: string) => points(body) + 2 * fenceOf(body).length + 2 <= max;
  const whole = cutCodePoints(text, max);
  if (whole === text && fits(text)) return block(text, fenceOf(text));
  const room = max - 2 * fenceOf(whole).length - 4;
  // A trace of little but backticks needs as long a fence before and behind it.
  const cut = `${cutCodePoints(text, Math.max(room, Math.floor(max / 3) - 4))}\n…`;
  return block(cut, fenceOf(cut));
}

const block = (body: string, fence: string) => `${fence}\n${body}\n${fence}`;

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function points(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; count++) i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
