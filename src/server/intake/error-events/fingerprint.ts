import { hash } from "node:crypto";
import { RecentTexts } from "./recent-texts.ts";
import { normalizeTrace } from "./normalize-trace.ts";
import { hasStackFrame } from "./stack-frames.ts";

/**
 * The 32 bytes that determine to which error group of its environment an event belongs: a hash of the exception class and
 * the normalized trace. If no line of the trace is a stack frame, only its first non-empty line is used. Hosts with
 * different installation paths compute the same fingerprint.
 */
export function fingerprint(exceptionClass: string, stackTrace: string): Buffer {
  if (stackTrace.length >= LONG) return computeFingerprint(exceptionClass, stackTrace);
  const known = recent.get(stackTrace);
  if (known?.exceptionClass === exceptionClass) return known.fingerprint;
  const fingerprint = computeFingerprint(exceptionClass, stackTrace);
  recent.set(stackTrace, { exceptionClass, fingerprint });
  return fingerprint;
}

/** Characters. From this length on, `recent-traces.ts` remembers a trace that occurs again, by its bytes. */
export const LONG = 1_024;

/**
 * Most traces are those of events a moment ago. Looking one up takes a tenth of the time. Long ones that do not occur again would
 * fill the old generation of the heap.
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
