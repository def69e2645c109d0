import assert from "node:assert/strict";
import { test } from "node:test";
import { openGit } from "../../../../test/support/git.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { deleteOldGitRows } from "./delete-old.ts";
import { processDeliveries } from "./process-deliveries.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const process = () => processDeliveries(t.db, new AbortController().signal);

test("a delivery that cannot be processed is kept with its error, and later ones are processed", async () => {
  const git = await openGit(t, workspace);
  await git.deliver("push", { ref: "refs/heads/main", commits: "none" });
  await git.deliver("push", await git.payload("push"));
  await process();
  assert.equal((await git.readIssue()).git_links.length, 2);
  const rows = await t.db
    .selectFrom("git_deliveries")
    .select(["error", "body", "processed_at"])
    .where("connection_id", "=", git.connection.id)
    .orderBy("id")
    .execute();
  assert.match(rows[0]?.error ?? "", /repository/);
  assert.notEqual(rows[0]?.body, null);
  assert.deepEqual([rows[1]?.error, rows[1]?.body], [null, null]);
  assert.ok(rows.every(({ processed_at }) => processed_at !== null));
});

test("several processes apply each delivery once", async () => {
  const git = await openGit(t, workspace);
  for (let n = 0; n < 10; n++) {
    const hash = n.toString(16).padStart(40, "0");
    const payload = await git.payload("push", (push) => {
      push.commits = [{ ...push.commits[0], id: hash, message: `Part ${n} of ${git.issue.key}` }];
      push.after = hash;
    });
    await git.deliver("push", payload);
  }
  await Promise.all([process(), process(), process()]);
  const { git_links } = await git.readIssue();
  assert.equal(git_links.length, 10);
  const positions = await t.db
    .selectFrom("git_changes")
    .select(["ref", "position"])
    .where("project_id", "=", git.id)
    .orderBy("position")
    .execute();
  assert.deepEqual(
    positions.map(({ ref }) => Number.parseInt(ref, 16)),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
});

test("deliveries to a deleted project wait until it is restored", async () => {
  const git = await openGit(t, workspace);
  await git.deliver("push", await git.payload("push"));
  const set = (deleted_at: string | null) =>
    t.db.updateTable("projects").set({ deleted_at }).where("id", "=", git.id).execute();
  await set("2026-01-01T00:00:00Z");
  await process();
  assert.equal((await git.deliver("push", await git.payload("push"))).status, 404);
  await set(null);
  await process();
  assert.equal((await git.readIssue()).git_links.length, 2);
});

test("deliveries are kept for 30 days, and commits that name nothing for a year", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push", (push) => {
    push.commits[1].message = "Log the coupon";
  });
  await t.db.updateTable("git_deliveries").set({ received_at: "2026-01-01T00:00:00Z" }).execute();
  await t.db.updateTable("git_changes").set({ stored_at: "2025-01-01T00:00:00Z" }).execute();
  await git.deliver("push", await git.payload("push", (push) => void (push.commits = [])));
  await deleteOldGitRows(t.db);
  const deliveries = await t.db
    .selectFrom("git_deliveries")
    .select("id")
    .where("connection_id", "=", git.connection.id)
    .execute();
  assert.equal(deliveries.length, 1);
  const changes = await t.db
    .selectFrom("git_changes")
    .select("title")
    .where("project_id", "=", git.id)
    .execute();
  assert.deepEqual(
    changes.map(({ title }) => title),
    ["Check the cart before the payment"],
  );
});
