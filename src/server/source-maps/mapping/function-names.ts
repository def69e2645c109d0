import type { FoundPosition } from "./map-task.ts";

/**
 * The original name of a frame's function: what its caller calls, if the caller was mapped. Otherwise the name that was sent, unless
 * minifying has changed it.
 */
export function originalFunction(
  sent: string | undefined,
  found: FoundPosition,
  caller: FoundPosition | null | undefined,
): string | null {
  const called = caller ? (caller.called ?? caller.name) : null;
  const kept = keptName(sent, found.containsSentName);
  // `Cart.total` says more than `total`, and `fn.apply(this)` says nothing of the function.
  if (called === null || INDIRECT.has(called) || kept?.split(".").at(-1) === called) return kept;
  return called;
}

const INDIRECT: ReadonlySet<string> = new Set(["apply", "call", "bind"]);

/** The name that was sent, without what is minified: `total` for `t.total`. Null if nothing is left. */
function keptName(sent: string | undefined, isInSource: boolean | null): string | null {
  if (sent === undefined || isInSource === false) return null;
  const parts = sent.replace(/^(?:async|new|get|set) /, "").split(".");
  const name = parts.pop() ?? "";
  if (isMinified(name)) return null;
  const isWhole = parts.every((part) => part !== "" && !isMinified(part) && !RECEIVERS.has(part));
  return isWhole ? [...parts, name].join(".") : name;
}

/** What V8 writes before the names of functions that are not in a class. */
const RECEIVERS = new Set(["Object", "Module", "exports", "window", "Window", "global", "globalThis"]);

const isMinified = (name: string): boolean => !/^[\p{ID_Start}$_#][\p{ID_Continue}$]{2,}$/u.test(name);
