import type { PreviousException } from "./event.ts";
import { maxMessage } from "./limits.ts";
import { attempt, filled, property } from "./safe.ts";
import { framesOf } from "./trace.ts";

/** Names that say no more than that something was thrown, so the class's own name is the better one. */
const builtIn = /^((Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error|Object|DOMException)$/;

/**
 * Class, message and frames of anything that can be thrown. Never throws itself.
 *
 * @param at a stack to use where `error` has none, such as that of the call which reports a string
 */
export function describe(error: unknown, at?: string): PreviousException {
  const message = messageOf(error);
  const stack = filled(property(error, "stack")) ?? at ?? "";
  return { exception_class: classOf(error), message, stack_trace: framesOf(stack, message) };
}

function classOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return `Thrown ${error === null ? "null" : typeof error}`;
  const name = filled(property(error, "name"));
  const made = filled(property(property(error, "constructor"), "name"));
  // `class Payment extends Error` inherits the name "Error". Minifiers leave one or two letters of a class's name.
  const better = made && made.length > 2 && !builtIn.test(made) ? made : undefined;
  return (name && !builtIn.test(name) ? name : (better ?? name)) ?? made ?? "Error";
}

function messageOf(error: unknown): string {
  const message = property(error, "message");
  if (typeof message === "string") return message.slice(0, maxMessage);
  if (typeof error === "object" && error !== null) {
    // The values of an unknown object may be personal data; its keys say what it is.
    return `An object with the keys ${attempt(() => Object.keys(error).slice(0, 10).join(", ")) ?? ""}`.trimEnd();
  }
  return (attempt(() => String(error)) ?? "").slice(0, maxMessage);
}
