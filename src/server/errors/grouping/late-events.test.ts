import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { lockGroup, openTwoGroups } from "../../../../test/support/merge.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { linkLateEvents } from "../../reports/link-late-events.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

test("the job that links reports leaves a group that is being merged to its next run", async () => {
  const { project, p, a, b, send, merge } = await openTwoGroups(t, workspace);
  const event_id = randomUUID();
  const report = { title: "Broken", description: "It does not work.", error_event_id: event_id };
  const { id } = (await project.admin.post(`${p}/reports`, report)).body as { id: number };
  assert.equal((await send("B", { event_id })).status, 202);
  const linked = () =>
    t.db.selectFrom("reports").select("error_group_id").where("id", "=", id).executeTakeFirstOrThrow();
  const [answer] = await collide(t.database, `${lockGroup(b)}; ${lockGroup(a)}`, async (waiting) => {
    const merging = merge();
    await waiting(1);
    await linkLateEvents(t.db);
    return [merging];
  });
  assert.deepEqual([answer?.status, await linked()], [200, { error_group_id: null }]);
  await linkLateEvents(t.db);
  assert.deepEqual(await linked(), { error_group_id: a.id });
});
