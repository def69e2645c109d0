import { cutCodePoints } from "../../../../shared/cut-code-points.ts";
import type { ImportedComment, ImportedObject, ImportItem, ImportNote, LeftOut } from "./item.ts";
import { parseTime } from "./parse-time.ts";
import type { People } from "./people.ts";

const MAX_LINE = 255;
const MAX_NAME = 100;
const MAX_TEXT = 65_535;
const MAX_COMMENT = 10_000;
const MAX_MINUTES = 2_147_483_647;

type Fitted = { item: ImportItem; notes: ImportNote[] };

/**
 * The item with every text within the limits of the API, and a note for each text that was cut. Comments by people without an
 * account begin with their names. Left out if a required text is missing.
 */
export function fitItem(item: ImportItem, people: People, now: number): Fitted | LeftOut {
  const { where } = item;
  const notes: ImportNote[] = [];
  const note = (text: string) => notes.push({ item: "note", where, text });
  const cut = (text: string, max: number, what: string) => {
    const short = cutCodePoints(text, max);
    if (short.length < text.length) note(`The ${what} was cut to ${max.toLocaleString("en")} characters.`);
    return short;
  };
  const line = (text: string, max: number, what: string) => cut(singleLine(text), max, what);
  const base = <T extends ImportedObject>(object: T): T => ({
    ...object,
    created_at: moment(object.created_at, now, () => note("The time of creation cannot be read.")),
    updated_at: moment(object.updated_at, now, () => note("The time of the last change cannot be read.")),
    comments: object.comments.flatMap((comment) => fitComment(comment, people, { now, cut })),
  });
  if (item.item === "error_group") {
    const exception_class = line(item.exception_class, MAX_LINE, "class");
    const first_seen_at = moment(item.first_seen_at, now);
    const last_seen_at = moment(item.last_seen_at, now);
    if (exception_class === "") return leftOut(where, "It has no exception class.");
    if (first_seen_at === null || last_seen_at === null)
      return leftOut(where, "The times when it was first and last seen cannot be read.");
    const times = { first_seen_at, last_seen_at, resolved_at: moment(item.resolved_at, now) };
    return { item: { ...base(item), ...times, exception_class, message: clean(item.message) }, notes };
  }
  const title = line(item.title, MAX_LINE, "title");
  if (title === "") return leftOut(where, "It has no title.");
  const description =
    item.description === null ? null : cut(clean(item.description), MAX_TEXT, "description");
  if (item.item === "report")
    return {
      item: { ...base(item), title, description, dismissal: fitDismissal(item.dismissal, now, cut) },
      notes,
    };
  const name = (text: string | null, what: string) =>
    (text !== null && line(text, MAX_NAME, what).normalize("NFC")) || null;
  const laneName = name(item.lane?.name ?? null, "status");
  return {
    item: {
      ...base(item),
      title,
      description: description || null,
      lane: item.lane && laneName !== null ? { ...item.lane, name: laneName } : null,
      labels: distinct(item.labels.map((label) => name(label, "label")).filter((label) => label !== null)),
      sprint: name(item.sprint, "sprint"),
      epic: (item.epic !== null && line(item.epic, MAX_LINE, "epic")) || null,
      estimated_minutes: fitMinutes(item.estimated_minutes),
      due_on: fitDay(item.due_on),
      closed_at: moment(item.closed_at, now),
    },
    notes,
  };
}

type Cut = (text: string, max: number, what: string) => string;

type Cutting = { now: number; cut: Cut };

/** Blank comments are dropped. */
function fitComment(comment: ImportedComment, people: People, { now, cut }: Cutting): ImportedComment[] {
  const content = clean(comment.content);
  if (content.trim() === "") return [];
  const name = people.userOf(comment.author) === null ? people.nameOf(comment.author) : null;
  const byline = name === null ? "" : `**${escaped(cutCodePoints(name, MAX_NAME))}** wrote:\n\n`;
  return [
    {
      ...comment,
      content: cut(`${byline}${content}`, MAX_COMMENT, "comment"),
      created_at: moment(comment.created_at, now),
    },
  ];
}

/** A name must not become a link, a mention or a heading. */
const escaped = (name: string) =>
  name.replaceAll(/[\\`*_{}[\]()<>#+!|~@\r\n]/g, (character) =>
    character === "@" ? "&#64;" : /[\r\n]/.test(character) ? " " : `\\${character}`,
  );

function fitDismissal<T extends { note: string | null; at: string | null } | null>(
  dismissal: T,
  now: number,
  cut: Cut,
): T {
  if (dismissal === null) return dismissal;
  const { note, at } = dismissal;
  return {
    ...dismissal,
    note: note === null || note.trim() === "" ? null : cut(clean(note), MAX_COMMENT, "note"),
    at: moment(at, now),
  };
}

const leftOut = (where: string, reason: string): LeftOut => ({ item: "left_out", where, reason });

/** PostgreSQL cannot store NUL. */
const clean = (text: string) => text.toWellFormed().replaceAll("\0", "").replaceAll("\r\n", "\n");

const singleLine = (text: string) =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();

/** ISO 8601, not in the future, because lists would show it first for good. */
function moment(text: string | null, now: number, onInvalid?: () => void): string | null {
  if (text === null || text === "") return null;
  const time = parseTime(text);
  if (Number.isNaN(time) || time < EARLIEST) {
    onInvalid?.();
    return null;
  }
  if (time > now) return new Date(now).toISOString();
  const iso = new Date(time).toISOString();
  // Keeps the microseconds. JavaScript reads February 30 as a day of March, which PostgreSQL does not.
  return ISO.test(text) && text.startsWith(iso.slice(0, 19)) ? text : iso;
}

const EARLIEST = Date.parse("1970-01-01T00:00:00Z");
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

const fitMinutes = (minutes: number | null | undefined) =>
  Number.isInteger(minutes) && (minutes as number) >= 0 && (minutes as number) <= MAX_MINUTES
    ? (minutes as number)
    : null;

const fitDay = (day: string | null | undefined) =>
  day && /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
    ? day
    : null;

/** Ignoring case, like the names of labels. */
const distinct = (names: string[]) => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
