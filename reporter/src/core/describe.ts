import type { PreviousException } from "./event.ts";
import { MAX_MESSAGE } from "./limits.ts";
import { attempt, filled, property } from "./safe.ts";
import { framesOf } from "./trace.ts";

/** Names that say nothing specific; the name of the error's class is preferred. */
const builtIn = /^((Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error|Object|DOMException)$/;

/** Returns class, message and stack frames of anything that can be thrown. Never throws. */
export function describe(error: unknown): PreviousException {
  const message = messageOf(error);
  const stack = filled(property(error, "stack")) ?? "";
  return { exception_class: classOf(error), message, stack_trace: framesOf(stack, message) };
}

/**
 * Like `describe`, with a trace that groups errors even if they have no stack, such as thrown strings: the frames of
 * the code that called `caller`, else the message's template.
 */
export function describeThrown(error: unknown, caller: Function | undefined): PreviousException {
  const described = describe(error);
  described.stack_trace ||= framesOf(stackAbove(caller), "") || template(described.message);
  return described;
}

function stackAbove(caller: Function | undefined): string {
  const holder: { stack?: string } = {};
  // Only V8 and new versions of Firefox and Safari can leave out the reporter's own frames.
  if (caller) Error.captureStackTrace?.(holder, caller);
  return holder.stack ?? "";
}

function classOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return `Thrown ${error === null ? "null" : typeof error}`;
  const name = filled(property(error, "name"));
  const className = filled(property(property(error, "constructor"), "name"));
  // `class Payment extends Error` inherits the name "Error". Minifiers shorten class names to one or two letters.
  const specific = className && className.length > 2 && !builtIn.test(className) ? className : undefined;
  return (name && !builtIn.test(name) ? name : (specific ?? name)) ?? className ?? "Error";
}

function messageOf(error: unknown): string {
  const message = property(error, "message");
  if (typeof message === "string") return message.slice(0, MAX_MESSAGE);
  if (typeof error === "object" && error !== null) {
    // Only the keys: the values of an unknown object may be personal data.
    return `An object with the keys ${attempt(() => Object.keys(error).slice(0, 10).join(", ")) ?? ""}`.trimEnd();
  }
  return (attempt(() => String(error)) ?? "").slice(0, MAX_MESSAGE);
}

/**
 * The first line of a message without the parts that differ between occurrences: addresses, quoted texts, and words with digits,
 * such as numbers, dates and ids. It replaces the stack trace of thrown strings, so that the server groups them by their meaning.
 */
function template(message: string): string {
  return message
    .trim()
    .slice(0, 300)
    .split("\n", 1)[0]!
    .replace(/\S+@\S+|(["'`]).*?\1|[\w.:-]*\d[\w.:-]*/g, "<…>");
}
