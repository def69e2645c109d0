import { MAX_MESSAGE, MAX_TRACE } from "./limits.ts";

/** A stack frame of V8, or of Firefox and Safari. */
const frame = /^\s+at |@.*:\d+$/;
/** A frame of the reporter, which wraps some of the host's functions. */
const own = /[/\\]@signalbox[/\\]reporter[/\\]/;
/** Longer lines are not frames; regular expressions would take too long on them. */
const MAX_FRAME = 2000;

/**
 * Returns the frames of a stack without the line that repeats class and message: the server groups by the trace, and
 * messages that contain ids would put every event into its own group.
 */
export function framesOf(stack: string, message: string): string {
  // The colon keeps a short message from matching inside a URL, in a stack that starts with its frames.
  const start = stack.slice(0, MAX_MESSAGE + MAX_TRACE).indexOf(`: ${message.slice(0, 200)}`);
  const inFirstLine = start >= 0 && !stack.slice(0, start).includes("\n");
  const afterMessage = inFirstLine ? start + 2 + message.length : 0;
  const lines = stack.slice(afterMessage, afterMessage + MAX_TRACE).split("\n");
  const first = lines.findIndex((line) => line.length < MAX_FRAME && frame.test(line));
  // Without a recognizable frame, keep everything except the rest of the first line.
  const frames = (first < 0 ? lines.slice(1) : lines.slice(first)).filter((line) => !own.test(line));
  return (/[?#]|file:/.test(stack) ? frames.map(cleaned) : frames).join("\n").trimEnd();
}

/** The file of the newest frame that has a position; "" without one. */
export const topFile = (stack: string): string =>
  /^(?: +at (?:[^(\n]*\()?|[^@\n]*@)(.+?):\d+:\d+/m.exec(framesOf(stack, ""))?.[1] ?? "";

/**
 * Removes `file://`, so that CommonJS and ES modules have the same frames, and queries and fragments: the frames of an
 * inline script contain the page's whole URL.
 */
function cleaned(line: string): string {
  if (line.length >= MAX_FRAME) return line;
  return line.replace("file://", "").replace(/[?#][^\s()]*?(?=(:\d+){1,2}\)?$)/, "");
}
