import type { PreviousException } from "./event.ts";
import { maxMessage } from "./limits.ts";
import { attempt, filled, property } from "./safe.ts";
import { framesOf } from "./trace.ts";

/** Names that say nothing specific; the name of the error's class is preferred. */
const builtIn = /^((Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error|Object|DOMException)$/;

/**
 * Returns class, message and stack frames of anything that can be thrown. Never throws.
 *
 * @param fallbackStack used if `error` has no stack, such as a thrown string
 */
export function describe(error: unknown, fallbackStack?: string): PreviousException {
  const message = messageOf(error);
  const stack = filled(property(error, "stack")) ?? fallbackStack ?? "";
  return { exception_class: classOf(error), message, stack_trace: framesOf(stack, message) };
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
  if (typeof message === "string") return message.slice(0, maxMessage);
  if (typeof error === "object" && error !== null) {
    // Only the keys: the values of an unknown object may be personal data.
    return `An object with the keys ${attempt(() => Object.keys(error).slice(0, 10).join(", ")) ?? ""}`.trimEnd();
  }
  return (attempt(() => String(error)) ?? "").slice(0, maxMessage);
}
