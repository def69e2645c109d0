// Without zod, because the web app loads it.

export const IMPORT_KINDS = [
  "sentry",
  "glitchtip",
  "bugsink",
  "github",
  "linear",
  "jira",
  "plane",
  "fider",
  "canny",
  "quackback",
  "csv",
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Those that can be imported from a file. */
export const FILE_KINDS = IMPORT_KINDS.filter((kind) => kind !== "plane");

/** The fields of an issue that a column of a CSV file can have. */
export const CSV_FIELDS = [
  "id",
  "title",
  "description",
  "status",
  "priority",
  "type",
  "labels",
  "author",
  "assignee",
  "sprint",
  "epic",
  "estimated_minutes",
  "due_on",
  "created_at",
  "updated_at",
  "closed_at",
  "url",
] as const;
export type CsvField = (typeof CSV_FIELDS)[number];
