import { mapFacts } from "../../../../shared/event-facts.ts";

/**
 * The parameters of the storing statement: arrays of equal length within each table. `EventBatch` fills them by name, so a
 * new column is added here, in `EventBatch.columns()`, and in the part of the statement that uses it.
 */
const TABLES = {
  /** One row per group of the batch, with its latest event. `n` numbers the groups. */
  batch: {
    n: "bigint",
    project_id: "bigint",
    key: "bytea",
    count: "bigint",
    environment: "text",
    first_release: "text",
    only_release: "text",
    last_release: "text",
    exception_class: "text",
    message: "text",
    context_kind: "text",
    context_label: "text",
    stack_trace: "text",
    previous_exceptions: "text",
    ...mapFacts<{ name: "text"; bytes: "bigint" }>((kind) => (kind === "name" ? "text" : "bigint")),
    runtime_name: "text",
    runtime_version: "text",
    framework_name: "text",
    framework_version: "text",
    context: "text",
    level: "text",
    event_id: "text",
    host: "text",
    pseudonym: "text",
    tags: "text",
    additions: "text",
    cut: "text",
    /** 1: not kept in full. */
    is_only_counted: "bigint",
    is_release_kept: "bigint",
    has_others: "bigint",
    /** 1: contains only the newest event of each release, because the group is known to have its first events already. */
    omits_first_events: "bigint",
  },
  /** How often each release and host occurs in a group, and its users, whose events are not counted. */
  batch_releases: { n: "bigint", release: "text", count: "bigint" },
  batch_hosts: { n: "bigint", name: "text", count: "bigint" },
  batch_users: { n: "bigint", user_hash: "bytea" },
  /** Further events that may be kept. `place` is the event's position among the group's events in the batch, from 1. */
  batch_events: {
    n: "bigint",
    place: "bigint",
    /** 1: the newest event of its release in this batch. */
    is_newest: "bigint",
    event_id: "text",
    level: "text",
    release: "text",
    host: "text",
    pseudonym: "text",
    message: "text",
    stack_trace: "text",
    previous_exceptions: "text",
    context: "text",
    runtime_name: "text",
    runtime_version: "text",
    framework_name: "text",
    framework_version: "text",
    tags: "text",
    additions: "text",
  },
  /** The events that have an id. */
  batch_event_ids: { n: "bigint", event_id: "text" },
  /** The keys of merged fingerprints with events in the batch; `n` is the group that counts them. */
  batch_aliases: { n: "bigint", key: "bytea" },
} as const;

type Tables = typeof TABLES;

/** The columns of each table in PostgreSQL's binary format. */
export type Columns = { [Table in keyof Tables]: { [Column in keyof Tables[Table]]: Buffer } };

/** The retention window in days: the first parameter. */
export const RETENTION_DAYS = "$1::int";

/** For a `from` clause: the table of parameters, or only some of its columns, with the given alias. */
export function sent<Table extends keyof Tables>(
  table: Table,
  alias: string,
  { ordinality, only }: { ordinality?: string; only?: readonly (keyof Tables[Table])[] } = {},
): string {
  const columns = Object.entries(TABLES[table]).filter(
    ([column]) => only?.includes(column as keyof Tables[Table]) ?? true,
  );
  const arrays = columns.map(([column, type]) => `$${table}.${column}::${type}[]`).join(", ");
  const all = [...columns.map(([column]) => column), ...(ordinality === undefined ? [] : [ordinality])];
  const places = ordinality === undefined ? "" : "with ordinality ";
  return `unnest(${arrays}) ${places}as ${alias} (${all.join(", ")})`;
}

/** The value of a column of `batch` in the row with this number, from 1. */
export const at = (column: keyof Tables["batch"], place: string): string =>
  `($batch.${column}::${TABLES.batch[column]}[])[${place}]`;

/** A statement with numbered parameters, and the values for them. */
export type Numbered<Values> = {
  text: string;
  valuesOf: (retentionDays: number, values: Values) => unknown[];
};

/** Numbers the columns in the order of their first use. Only those that the statement uses are sent. */
export function numberParameters<Values extends Record<string, Record<string, unknown>>>(
  statement: string,
): Numbered<Values> {
  const used: [table: string, column: string][] = [];
  const numbers = new Map<string, string>();
  const text = statement.replace(/\$(batch\w*|event)\.(\w+)/g, (name, table: string, column: string) => {
    if (!numbers.has(name)) numbers.set(name, `$${used.push([table, column]) + 1}`);
    return numbers.get(name) as string;
  });
  return {
    text,
    valuesOf: (retentionDays, values) => [
      retentionDays,
      ...used.map(([table, column]) => values[table]?.[column]),
    ],
  };
}
