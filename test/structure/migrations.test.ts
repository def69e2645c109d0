import assert from "node:assert/strict";
import { test } from "node:test";
import { readMigrations } from "../../src/server/db/migrate.ts";

/** Earlier ones were released before servers were upgraded one after the other. */
const LAST_UNCHECKED = 66;

const COMMENT = "-- The version before does not need it.";

/** What a running server of the version before may still use, or violate with what it writes. */
const BREAKING = [
  /\bdrop (table|column|view|function|type|sequence)\b/,
  /\brename\b/,
  /\balter( column)? \w+ (set data )?type\b/,
  /\bset not null\b/,
  /\badd (column )?(if not exists )?(?!constraint\b)\w+ (?!.*\bdefault\b)(?!.*\bgenerated\b).*\bnot null\b/,
];

function breakingLines(sql: string): string[] {
  const lines = sql.split("\n");
  return lines.filter((line, n) => {
    const code = line.replace(/--.*/, "").toLowerCase();
    return BREAKING.some((pattern) => pattern.test(code)) && lines[n - 1]?.trim() !== COMMENT;
  });
}

test("new migrations are compatible with running servers of the version before, or say that these do not need it", async () => {
  for (const { name, version, sql } of await readMigrations())
    if (version > LAST_UNCHECKED) assert.deepEqual(breakingLines(sql), [], `${name}: see CONTRIBUTING.md`);
});

for (const line of [
  "drop table old;",
  "alter table users drop column theme;",
  "alter table users rename column theme to look;",
  "alter table users alter column theme type integer;",
  "alter table users alter column theme set not null;",
  "alter table users add column look text not null;",
])
  test(`a migration is not compatible: ${line}`, () => {
    assert.deepEqual(breakingLines(line), [line]);
    assert.deepEqual(breakingLines(`${COMMENT}\n${line}`), []);
  });

for (const line of [
  "alter table users add column look text;",
  "alter table users add column look text not null default 'light';",
  "create table look (id bigint not null);",
  "alter table users add constraint users_look check (look is not null) not valid;",
  "drop index users_by_look;",
])
  test(`a migration is compatible: ${line}`, () => {
    assert.deepEqual(breakingLines(line), []);
  });
