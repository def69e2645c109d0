import { cut } from "../coerce.ts";

/** The trace without the line at its start or, in Python, at its end that repeats class and message. */
export function traceWithoutMessage(
  sent: string,
  { type, message }: { type: string; message: string },
): string {
  const trace = sent.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  const first = lineAt(trace, 0);
  if (isHeadOf(first, type)) return trace.slice(first.length + 1);
  const start = message === "" ? -1 : trace.indexOf(message);
  const rest = trace.slice(start + message.length);
  if (start !== -1 && HEAD.test(trace.slice(0, start)) && /^(?:\n|$)/.test(rest)) return rest.slice(1);
  return withoutLastLine(trace, { type, message });
}

function withoutLastLine(trace: string, { type, message }: { type: string; message: string }): string {
  if (!PYTHON.test(trace)) return trace;
  const end = message === "" ? trace.length : trace.length - message.length;
  if (!trace.endsWith(message)) return trace;
  const start = trace.lastIndexOf("\n", end - 1) + 1;
  const head = trace.slice(start, end);
  const isRepeated = message === "" ? isHeadOf(head, type) : HEAD.test(head);
  return start > 0 && isRepeated ? trace.slice(0, start - 1) : trace;
}

/**
 * The class with its module, which Python's log records lack and its spans have: they must not make two groups. The last line of the
 * trace has it.
 */
export function qualifiedClass(type: string, trace: string): string {
  if (type.includes(".") || !PYTHON.test(trace)) return type;
  const lines = trace.slice(-MAX_CLASS_LINE).match(/^[\p{L}\p{N}_.]{1,255}(?=: |$)/gmu);
  return lines?.findLast((name) => name.endsWith(`.${type}`)) ?? type;
}

/** Characters at the end of a trace that may contain the class and the message. */
const MAX_CLASS_LINE = 66_000;

const lineAt = (text: string, start: number): string => {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
};

/** What precedes the message: `shop.PaymentError: `, `Error [ERR_CODE]: `. */
const HEAD = /^[\p{L}\p{N}_.$*/<>-]{1,500}(?: \[[^\]\n]{1,100}\])?: $/u;

const PYTHON = /^[ \t|]*File "[^"\n]+", line \d+/m;

/** Whether the line is only the class, with or without its namespace. */
const isHeadOf = (line: string, type: string): boolean => {
  const name = line.replace(/:? ?$/, "");
  return name !== "" && (name === type || type.endsWith(`.${name}`));
};

/** Cuts whole lines from the middle of a trace that is too long: the newest frame is at its start or, in Python, at its end. */
export function bothEnds(trace: string, max: number): string {
  const whole = cut(trace, Infinity);
  if (whole.length <= max) return whole;
  const half = Math.floor(max / 2) - GAP.length;
  const end = whole.slice(-half);
  return cut(`${cutBetweenLines(whole, half)}${GAP}${end.slice(end.indexOf("\n") + 1)}`, max);
}

const GAP = "\n…\n";

function cutBetweenLines(text: string, max: number): string {
  const start = text.slice(0, max);
  const end = start.lastIndexOf("\n");
  return end === -1 ? "" : start.slice(0, end);
}

/**
 * A copy of the trace that is equal whenever the same code fails in the same way: without the messages of causes, and in Go without
 * the numbers of goroutines, arguments and offsets.
 */
export function comparableTrace(trace: string): string {
  if (GOROUTINE.test(trace))
    return GO_DETAILS.reduce((rest, [detail, by]) => rest.replace(detail, by), trace);
  return trace.replace(CAUSE_IN_JAVA, "$1").replace(CAUSE_IN_PYTHON, "$1\n");
}

const CAUSE_IN_JAVA = /^([ \t]*(?:Caused by|Suppressed): [\p{L}\p{N}_.$]{1,500}): .*$/gmu;
const CAUSE_IN_PYTHON = /^([\p{L}\p{N}_.]{1,500}): .*\n(?=\n(?:The above exception|During handling of) )/gmu;

const GOROUTINE = /^goroutine \d+ \[/;
const GO_DETAILS: [detail: RegExp, by: string][] = [
  [/^goroutine \d+ \[.*\]:\n/gm, ""],
  [/ in goroutine \d+$/gm, ""],
  [/ \+0x[\da-f]+$/gm, ""],
  [/\([^()\n]*\)$/gm, "(...)"],
];

/**
 * Tells repetitions of one exception apart from other exceptions. While an exception in Python leaves a span, its trace grows by
 * the frames in between, so only the newest frame counts.
 */
export function originOf(trace: string): string {
  const frames = trace.match(PYTHON_FRAMES);
  return frames?.at(-1) ?? trace;
}

const PYTHON_FRAMES = /^[ \t|]*File "[^"\n]+", line \d+.*$/gm;
