import type { ReadEvent } from "../../../ingest/read/read-event.ts";

export { ImportError } from "../import-error.ts";

/**
 * What every source yields: the objects of another tracker in our terms. Texts are Markdown without length limits, which
 * the import applies. Timestamps are ISO 8601. Labels, sprints, epics and lanes are named; the import finds or creates them.
 */
export type ImportItem = ImportedIssue | ImportedReport | ImportedErrorGroup;

/** What issues, reports and error groups have in common. */
export type ImportedObject = {
  /** The object's id at the source, by which a repeated import recognizes it, and its address there. */
  ref: { id: string; url: string | null };
  /** Names the object in messages: `line 12`, or its id. */
  where: string;
  author: ImportedPerson | null;
  created_at: string | null;
  updated_at: string | null;
  comments: ImportedComment[];
};

/** Each part is null if the source does not know it. The email address, or `--people`, finds the user. */
export type ImportedPerson = { name: string | null; login: string | null; email: string | null };

/** `id` is unique among the comments of its object. */
export type ImportedComment = {
  ref: { id: string };
  author: ImportedPerson | null;
  content: string;
  created_at: string | null;
};

export type ImportedIssue = ImportedObject & {
  item: "issue";
  title: string;
  description: string | null;
  /** 0 (feature) or 1 (bug). */
  type?: 0 | 1;
  /** From 0 (highest) to 4 (lowest). */
  priority?: 0 | 1 | 2 | 3 | 4;
  /** Null puts the issue into the first lane. Without a kind, only a lane of this name is used. */
  lane: { name: string; kind: ImportedLaneKind | null } | null;
  labels: string[];
  sprint: string | null;
  epic: string | null;
  assignee: ImportedPerson | null;
  estimated_minutes?: number | null;
  /** A date, `2026-11-20`. */
  due_on?: string | null;
  closed_at: string | null;
};

export type ImportedLaneKind = "backlog" | "todo" | "doing" | "done";

export type ImportedReport = ImportedObject & {
  item: "report";
  title: string;
  description: string | null;
  /** Votes at the source, the author's included. */
  voices: number;
  /** Null: neither promoted nor dismissed. */
  dismissal: {
    reason: "not-planned" | "duplicate" | "already-shipped" | "invalid";
    note: string | null;
    at: string | null;
  } | null;
};

export type ImportedErrorGroup = ImportedObject & {
  item: "error_group";
  exception_class: string;
  message: string;
  /**
   * The latest event as our own routes would read it: it gives trace, fingerprint and environment, so that later events join the
   * group. Null if the source does not tell; class and message are the fingerprint then.
   */
  event: ReadEvent | null;
  /** Used without an event. */
  environment: string | null;
  release: string | null;
  level: string | null;
  /** 0 (open), 1 (resolved) or 2 (ignored). */
  status: 0 | 1 | 2;
  resolved_at: string | null;
  occurrence_count: number;
  first_seen_at: string;
  last_seen_at: string;
  assignee: ImportedPerson | null;
};

/** A row that is not imported. */
export type LeftOut = { item: "left_out"; where: string; reason: string };

/** Something to list that loses no row, such as a column without a counterpart. */
export type ImportNote = { item: "note"; where: string; text: string };

/** A local file, or an address with the token in `IMPORT_TOKEN`. */
export type ImportInput = { path: string } | { url: URL; token: string | null };

/**
 * `map`: our field → column of the file (`csv` only). `from`: the project at the source (`--from`). `privacyRules`: the JSON of the
 * active rules of the project that gets the objects, null without any.
 */
export type SourceOptions = {
  map: Record<string, string>;
  from: string | null;
  privacyRules: string | null;
  signal: AbortSignal;
};

/** Reads a source in constant memory. Throws `ImportError` if the input is not what the source expects. */
export type Source = (
  input: ImportInput,
  options: SourceOptions,
) => AsyncIterable<ImportItem | LeftOut | ImportNote>;
