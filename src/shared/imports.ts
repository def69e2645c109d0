import { z } from "zod";
import { count, moment } from "./answers.ts";
import { AT, LATER } from "./example-values.ts";
import { CSV_FIELDS, FILE_KINDS, IMPORT_KINDS } from "./import-kinds.ts";
import { clearable, id, line, mustBe, optional } from "./text.ts";

/** Bytes of an uploaded file. */
export const MAX_IMPORT_BYTES = 512 * 1_048_576;
/** Rows of `left_out` and of `notes`, and names of `unmatched`, that are kept. */
export const MAX_LISTED_ROWS = 1_000;

const IMPORT_STATES = ["checking", "checked", "importing", "done"] as const;

export const importKind = z.enum(FILE_KINDS, mustBe(`one of ${FILE_KINDS.join(", ")}`));

/** The parts of the multipart body that creates an import. */
export const importForm = z.object({ kind: importKind, file: z.file() });

const MAX_COLUMN = 1_000;
const column = z
  .string(mustBe("a string"))
  .refine((value) => value.length <= MAX_COLUMN, `must be at most ${MAX_COLUMN} characters`);
const MAX_PEOPLE = 1_000;

/** An empty column leaves a field out. */
export const importChanges = z.object({
  map: optional(z.partialRecord(z.enum(CSV_FIELDS), column, mustBe("an object of fields and columns"))),
  people: optional(
    z
      .record(z.string(), id, mustBe("an object of names and user ids"))
      .refine((people) => Object.keys(people).length <= MAX_PEOPLE, `must have at most ${MAX_PEOPLE} names`),
  ),
  from: clearable(line(255)),
});

const row = z.strictObject({ where: z.string(), text: z.string() });

export const importAnswer = z.strictObject({
  id,
  project_id: id,
  kind: z.enum(IMPORT_KINDS),
  filename: z.string(),
  size: count,
  /** `checking`: a dry run is waiting or running; `checked`: it can be started unless `error` says why not. */
  state: z.enum(IMPORT_STATES),
  columns: z.array(z.string()),
  map: z.partialRecord(z.enum(CSV_FIELDS), z.string()),
  people: z.record(z.string(), id),
  from: z.string().nullable(),
  /** Of the dry run, then of the import as far as it is. */
  counts: z
    .strictObject({
      issues: count,
      reports: count,
      error_groups: count,
      comments: count,
      already_there: count,
      left_out: count,
    })
    .nullable(),
  /** People without an account in the project. */
  unmatched: z.array(z.string()),
  /** At most the first 1,000 rows that are left out, with the reasons. */
  left_out: z.array(row),
  /** What else is to be known, such as texts that were cut. At most the first 1,000. */
  notes: z.array(row),
  error: z.string().nullable(),
  created_by: id.nullable(),
  created_at: moment,
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
});

export type Import = z.infer<typeof importAnswer>;

const { left_out: _leftOut, notes: _notes, unmatched: _unmatched, ...listed } = importAnswer.shape;

/** In lists, without what may be long. */
export const listedImportAnswer = z.strictObject(listed);

export type ListedImport = z.infer<typeof listedImportAnswer>;

const listedExample: ListedImport = {
  id: 12,
  project_id: 5,
  kind: "csv",
  filename: "tasks.csv",
  size: 48_213,
  state: "done",
  columns: ["Name", "State", "Who"],
  map: { title: "Name", status: "State", assignee: "Who" },
  people: { Ada: 4 },
  from: null,
  counts: { issues: 311, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 1 },
  error: null,
  created_by: 4,
  created_at: AT,
  started_at: AT,
  finished_at: LATER,
};

/** Examples for the API reference. */
export const importExamples = {
  Import: {
    schema: importAnswer,
    example: {
      ...listedExample,
      unmatched: ["Grace Hopper"],
      left_out: [{ where: "line 14", text: "It has no title." }],
      notes: [{ where: "line 9", text: "The title was cut to 255 characters." }],
    },
  },
  ListedImport: { schema: listedImportAnswer, example: listedExample },
  ImportChanges: { schema: importChanges, example: { map: { title: "Name" }, people: { Ada: 4 } } },
};
