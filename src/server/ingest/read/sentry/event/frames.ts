import { at, integer, text, type JsonRecord } from "../../coerce.ts";
import { MAX_TRACE_LENGTH } from "../../../../../shared/error-events.ts";
import { withoutQuery } from "../../without-query.ts";
import { sentryList } from "./sentry-list.ts";

/** A trace has at most this many frames; the newest ones are kept. */
const MAX_FRAMES = 5_000;
const MAX_NAME_LENGTH = 1_000;

/** The frames of a stack trace, the newest first. */
export function framesIn(stacktrace: JsonRecord): readonly JsonRecord[] {
  const frames = at(stacktrace, "frames");
  return sentryList(Array.isArray(frames) ? frames : undefined, MAX_FRAMES)
    .filter(hasName)
    .toReversed();
}

const hasName = ({ function: name, filename, module, abs_path }: JsonRecord): boolean =>
  [filename, name, module, abs_path].some((value) => text(value, 1) !== null);

/** What the text of a trace shows of a frame. `file` may be a module. */
export type NamedFrame = {
  name: string;
  file: string | null;
  line: number | null;
  column: number | null;
  isOwn: boolean;
};

export const namedFrame = (frame: JsonRecord): NamedFrame => ({
  name: oneLine(text(frame.function, MAX_NAME_LENGTH) ?? "?"),
  file: locationOf(frame),
  line: positive(frame.lineno),
  column: positive(frame.colno),
  isOwn: frame.in_app !== false,
});

/**
 * One line per frame, the newest first: `    at function (file:line:column)`. Parts that were not sent are left out. A trace
 * that is too long loses its middle. `clean` gets the name of each function and file.
 */
export function renderFrames(frames: readonly NamedFrame[], clean: (name: string) => string): string {
  const lines = frames.map((frame) => renderFrame(frame, clean));
  const length = lines.reduce((sum, line) => sum + line.length + 1, -1);
  return length <= MAX_TRACE_LENGTH ? lines.join("\n") : withoutMiddle(lines);
}

function renderFrame({ name, file, line, column }: NamedFrame, clean: (name: string) => string): string {
  const position = [file && clean(file), line, column].filter((part) => part !== null);
  const place = position.length > 0 ? ` (${position.join(":")})` : "";
  return `    at ${clean(name)}${place}`;
}

const positive = (value: unknown) => integer(value, 0, Number.MAX_SAFE_INTEGER);

/** The file, else the module or the absolute path, without the query of a browser's file. */
function locationOf(frame: JsonRecord): string | null {
  const file = text(frame.filename, MAX_NAME_LENGTH);
  if (file !== null) return oneLine(withoutQuery(file));
  const module = text(frame.module, MAX_NAME_LENGTH);
  if (module !== null) return oneLine(module);
  const path = text(frame.abs_path, MAX_NAME_LENGTH);
  return path === null ? null : oneLine(withoutQuery(path));
}

const oneLine = (name: string): string => name.replace(/[\n\r\u2028\u2029]+/g, " ");

function withoutMiddle(lines: readonly string[]): string {
  const half = (MAX_TRACE_LENGTH - 100) / 2;
  const start = linesWithin(lines, half);
  const end = linesWithin(lines.toReversed(), half).toReversed();
  const left = lines.length - start.length - end.length;
  return [...start, `    … ${left} more frames`, ...end].join("\n");
}

function linesWithin(lines: readonly string[], max: number): string[] {
  let length = 0;
  const count = lines.findIndex((line) => (length += line.length + 1) > max);
  return lines.slice(0, count === -1 ? lines.length : count);
}
