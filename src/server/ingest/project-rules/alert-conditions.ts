import type { AlertConditions } from "../../../shared/alert-rules.ts";
import { parseTrace } from "../../../shared/stack-trace/parse-trace.ts";

/** What the conditions of alert rules ask of an event. `files` returns the files of its in-app frames. */
export type ConditionFacts = {
  environment: string;
  level: string;
  exception_class: string;
  message: string;
  assignee_id: number | null;
  tags: () => Record<string, string>;
  files: () => string[];
};

/** Whether all conditions hold. The cheap ones are checked first. */
export function holdConditions(conditions: AlertConditions, facts: ConditionFacts): boolean {
  const { environment, level, class_pattern, message_pattern, file_pattern, assignee_id, tags } = conditions;
  return (
    (environment === undefined || environment === facts.environment) &&
    (level === undefined || level === facts.level) &&
    (assignee_id === undefined || assignee_id === facts.assignee_id) &&
    (class_pattern === undefined || matchesGlob(class_pattern, facts.exception_class)) &&
    (message_pattern === undefined || matchesGlob(message_pattern, facts.message)) &&
    (tags === undefined || hasTags(tags, facts.tags())) &&
    (file_pattern === undefined || facts.files().some((file) => matchesGlob(file_pattern, file)))
  );
}

const hasTags = (wanted: Record<string, string>, tags: Record<string, string>): boolean =>
  Object.entries(wanted).every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value);

type SentFrame = { filename?: string | null; in_app?: boolean };

/** Those of the frames that the client marked, or of the trace's own code if it marked none. */
export function inAppFiles(frames: readonly SentFrame[], trace: string): string[] {
  const marked = frames.filter(({ in_app }) => in_app === true);
  const files =
    marked.length > 0
      ? marked.map(({ filename }) => filename)
      : parseTrace(trace).entries.map((entry) =>
          entry.kind === "frame" && entry.in_app ? entry.file : null,
        );
  return files.filter((file) => typeof file === "string");
}

/** Characters of a value that are compared: longer values are cut. */
const MAX_COMPARED = 16_384;

/**
 * Whether the glob matches the whole value: `*` is any text, `?` one character; case is ignored. Takes at most the product of both
 * lengths, unlike a regular expression.
 */
export function matchesGlob(glob: string, value: string): boolean {
  const pattern = Array.from(glob.toLowerCase());
  const text = Array.from(value.slice(0, MAX_COMPARED).toLowerCase());
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[next] === "*") {
      star = next++;
      resume = at;
    } else if (next < pattern.length && (pattern[next] === "?" || pattern[next] === text[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[next] === "*") next++;
  return next === pattern.length;
}
