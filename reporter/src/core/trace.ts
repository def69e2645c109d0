import { maxMessage, maxTrace } from "./limits.ts";

/** A frame as V8 writes it, or as Firefox and Safari do. */
const frame = /^\s+at |@.*:\d+$/;
/** Longer lines are no frames, and are not shown to a regular expression. */
const longestFrame = 2000;

/**
 * The frames of a stack, without the line that repeats class and message: the server groups by them, and a
 * message that names an id would make a group of each event.
 */
export function framesOf(stack: string, message: string): string {
  // With the colon, so that a short message is not found in the address of a stack that begins with its frames.
  const start = stack.slice(0, maxMessage + maxTrace).indexOf(`: ${message.slice(0, 200)}`);
  const inFirstLine = start >= 0 && !stack.slice(0, start).includes("\n");
  const afterMessage = inFirstLine ? start + 2 + message.length : 0;
  const lines = stack.slice(afterMessage, afterMessage + maxTrace).split("\n");
  const first = lines.findIndex((line) => line.length < longestFrame && frame.test(line));
  // A stack without one recognisable frame is kept as it is; the rest of its first line is not.
  const frames = first < 0 ? lines.slice(1) : lines.slice(first);
  return (/[?#]|file:/.test(stack) ? frames.map(cleaned) : frames).join("\n").trimEnd();
}

/**
 * One form for CommonJS and ES modules (`file://` goes), and no query or fragment: an inline script's frame
 * carries the page's whole URL.
 */
function cleaned(line: string): string {
  if (line.length >= longestFrame) return line;
  return line.replace("file://", "").replace(/[?#][^\s()]*?(?=(:\d+){1,2}\)?$)/, "");
}
