import type { Removed, Rules } from "../remove-personal-data/rules.ts";
import {
  removeFromCode,
  removeFromJson,
  removeFromText,
} from "../remove-personal-data/remove-personal-data.ts";
import {
  cut,
  cutBetweenWords,
  integer,
  isRecord,
  record,
  text,
  textOfWords,
  type JsonRecord,
} from "./coerce.ts";
import { readDebugImages } from "./debug-images.ts";
import { MAX_LINE_LENGTH, type Breadcrumb, type EventAdditions, type Frame } from "./event-additions.ts";
import { limitDepth } from "./limit-depth.ts";
import { readRequest } from "./read-request.ts";

const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 200;
const MAX_BREADCRUMBS = 100;
const MAX_CONTEXT_LINES = 10;
const MAX_TEXT_LENGTH = 8_192;

/**
 * The parts as sent, of any type. `breadcrumbs` has the newest last. `trace` is the text of a trace that may have been sent without
 * frames.
 */
export type SentAdditions = {
  tags: unknown;
  breadcrumbs: readonly unknown[];
  request: unknown;
  contexts: unknown;
  extra: unknown;
  debug_meta?: unknown;
  trace?: string;
};

type Options = {
  rules: Rules;
  /** Counts what was removed. May already contain what was removed from the message. */
  removed: Removed;
  keepVars: boolean;
};

type Part = "contexts" | "extra" | "breadcrumbs";

/** The parts that only kept events have, without personal data. Null if none was sent. `frames` reads the trace's frames. */
export function readAdditions(
  sent: SentAdditions,
  options: Options,
  frames: () => Frame[],
): EventAdditions | null {
  const { rules, removed } = options;
  const truncated = new Set<Part>();
  const isCut = (part: Part) => () => void truncated.add(part);
  const additions: EventAdditions = {
    tags: readTags(sent.tags, options),
    breadcrumbs: sent.breadcrumbs
      .filter(isRecord)
      .slice(-MAX_BREADCRUMBS)
      .map((breadcrumb) => readBreadcrumb(breadcrumb, options, isCut("breadcrumbs"))),
    request: readRequest(sent.request, (value) => removeFromText(value, rules, removed)),
    contexts: readObject(sent.contexts, options, isCut("contexts")),
    extra: readObject(sent.extra, options, isCut("extra")),
    frames: frames(),
    truncated: [...truncated],
    removed: {},
  };
  const read = { frames: additions.frames, trace: sent.trace ?? "", rules };
  const images = readDebugImages(sent.debug_meta, read);
  if (images.length > 0) additions.debug_images = images;
  if (isEmpty(additions) && removed.size === 0) return null;
  // Object.fromEntries also keeps a rule named __proto__.
  return { ...additions, removed: Object.fromEntries(removed) };
}

const isEmpty = ({ tags, breadcrumbs, request, contexts, extra, frames, ...rest }: EventAdditions): boolean =>
  request === null &&
  !rest.debug_images &&
  breadcrumbs.length + frames.length === 0 &&
  [tags, contexts, extra].every((part) => Object.keys(part).length === 0);

function readObject(sent: unknown, { rules, removed }: Options, onCut?: () => void): Record<string, unknown> {
  return isRecord(sent)
    ? (removeFromJson(limitDepth(sent, onCut), rules, removed) as Record<string, unknown>)
    : {};
}

/** Tags are sent as an object or as a list of pairs. */
function readTags(sent: unknown, { rules, removed }: Options): Record<string, string> {
  const pairs: unknown[] = Array.isArray(sent) ? sent : Object.entries(record(sent));
  const tags: [string, string][] = [];
  for (const pair of pairs) {
    if (tags.length === MAX_TAGS) break;
    if (!Array.isArray(pair)) continue;
    // Cut only afterwards, because half of an email address is not recognized as personal data.
    const key = text(pair[0], MAX_TAG_LENGTH * 2);
    const value = text(pair[1], MAX_TAG_LENGTH * 2);
    if (key !== null && value !== null) tags.push([key, value]);
  }
  const kept = Object.entries(
    removeFromJson(Object.fromEntries(tags), rules, removed) as Record<string, string>,
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [cut(key, MAX_TAG_LENGTH), cut(value, MAX_TAG_LENGTH)]),
  );
}

function readBreadcrumb(sent: JsonRecord, options: Options, onCut: () => void): Breadcrumb {
  const { timestamp, message } = sent;
  const short = (value: unknown) => withoutPersonalData(textOfWords(value, 255), options);
  const shortened = textOfWords(message, MAX_TEXT_LENGTH);
  if (typeof message === "string" && (shortened ?? "").length < message.length) onCut();
  return {
    timestamp: typeof timestamp === "number" ? timestamp : text(timestamp, 100),
    category: short(sent.category),
    level: short(sent.level),
    message: withoutPersonalData(shortened, options),
    type: short(sent.type),
    data: isRecord(sent.data) ? readObject(sent.data, options, onCut) : null,
  };
}

const withoutPersonalData = (value: string | null, { rules, removed }: Options): string | null =>
  value === null ? null : removeFromText(value, rules, removed);

/** The newest first. */
export const readFrames = (sent: readonly unknown[], options: Options): Frame[] =>
  sent.filter(isRecord).map((frame) => readFrame(frame, options));

function readFrame(sent: JsonRecord, options: Options): Frame {
  const { rules, removed } = options;
  const frame: Frame = {};
  for (const key of ["function", "filename", "module", "abs_path"] as const) {
    const value = textOfWords(sent[key], MAX_LINE_LENGTH);
    if (value !== null) frame[key] = removeFromText(value, rules, removed);
  }
  const line = position(sent.lineno ?? sent.line);
  const column = position(sent.colno ?? sent.column);
  if (line !== null) frame.line = line;
  if (column !== null) frame.column = column;
  if (typeof sent.in_app === "boolean") frame.in_app = sent.in_app;
  if (typeof sent.context_line === "string") frame.context_line = readLine(sent.context_line, options);
  if (Array.isArray(sent.pre_context))
    frame.pre_context = readLines(sent.pre_context.slice(-MAX_CONTEXT_LINES), options);
  if (Array.isArray(sent.post_context))
    frame.post_context = readLines(sent.post_context.slice(0, MAX_CONTEXT_LINES), options);
  if (options.keepVars && isRecord(sent.vars)) frame.vars = readObject(sent.vars, options);
  return frame;
}

const position = (value: unknown) => integer(value, 0, Number.MAX_SAFE_INTEGER);

const readLines = (lines: readonly unknown[], options: Options): string[] =>
  lines.map((line) => (typeof line === "string" ? readLine(line, options) : ""));

const readLine = (line: string, { rules, removed }: Options): string =>
  removeFromCode(cutBetweenWords(line, MAX_LINE_LENGTH), rules, removed);
