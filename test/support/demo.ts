import assert from "node:assert/strict";
import { fillDemo } from "../../src/server/demo/fill-demo.ts";
import type { Db } from "../../src/server/db/connect.ts";
import { makeCookie } from "./make.ts";
import type { TestApp } from "./test-app.ts";

export const DEMO_SIZE = { groups: 90, issues: 60, reports: 24 };

/** Fills the installation with a small demo. */
export const fillSmallDemo = (t: TestApp, anyway = false) =>
  fillDemo(t.db, t.storage, {
    size: DEMO_SIZE,
    anyway,
    dataDir: t.dataDir,
    publicUrl: "http://localhost:3000",
    retentionDays: 90,
    progress: () => {},
  });

/** A client of the demo's administrator that returns what it reads. */
export async function readDemo(t: TestApp, administratorId: number) {
  const browser = t.http.withCookie(await makeCookie(t.db, administratorId));
  const read = async (url: string) => {
    const answer = await browser.get(url);
    assert.equal(answer.status, 200, `${url} ${answer.text}`);
    return answer.body;
  };
  return { browser, read };
}

type Countable =
  | "users"
  | "workspaces"
  | "error_groups"
  | "error_group_releases"
  | "error_group_hosts"
  | "error_group_activity"
  | "issues"
  | "reports"
  | "mails"
  | "new_error_groups";

/** How many rows a table has. */
export async function countRows(db: Db, table: Countable): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}
