import { hash } from "node:crypto";
import { RecentTexts } from "../../caches/recent-texts.ts";
import { normalizeTrace } from "./normalize-trace.ts";
import { hasStackFrame } from "./stack-frames.ts";

/**
 * The 32 bytes that assign an event to an error group of its environment: a hash of the exception class and the
 * normalized trace. If no line of the trace is a stack frame, only its first non-empty line is used. Hosts with different
 * installation paths get the same fingerprint.
 */
export function fingerprint(exceptionClass: string, stackTrace: string): Buffer {
  if (stackTrace.length >= LONG) return computeFingerprint(exceptionClass, stackTrace);
  const known = recent.get(stackTrace);
  if (known?.exceptionClass === exceptionClass) return known.fingerprint;
  const fingerprint = computeFingerprint(exceptionClass, stackTrace);
  recent.set(stackTrace, { exceptionClass, fingerprint });
  return fingerprint;
}

/** Characters. `recent-traces.ts` caches repeated traces of at least this length by their bytes. */
export const LONG = 1_024;

/**
 * Most traces repeat within moments, and a lookup takes a tenth of the time. Long traces are left out: those that do not
 * repeat would fill the old generation of the heap.
 */
const recent = new RecentTexts<{ exceptionClass: string; fingerprint: Buffer }>(2 * 1_048_576);

export function computeFingerprint(exceptionClass: string, stackTrace: string): Buffer {
  const trace = normalizeTrace(stackTrace);
  const identity = hasStackFrame(trace) ? trace : firstLine(trace);
  // The length prefix keeps class and trace apart, whatever characters the class contains.
  // Truncated SHA-512 is faster than SHA-256 on long text if the processor has no SHA instructions.
  return hash("sha512", `${exceptionClass.length}\n${exceptionClass}\n${identity}`, "buffer").subarray(0, 32);
}

function firstLine(trace: string): string {
  const text = trace.trim();
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end).trimEnd();
}
