import assert from "node:assert/strict";
import { test } from "node:test";
import { openMonitors } from "../../../test/support/monitors.ts";
import { makeCheckIns } from "../../../test/support/make-check-ins.ts";
import { makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();

test("each of a monitor's last 30 days is bad with a failure, ok with successes only, and else has none", async () => {
  const monitors = await openMonitors(t, await makeWorkspace(t.db));
  const { slug } = await monitors.create({ name: "Nightly" });
  await monitors.create({ name: "Never" });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await makeCheckIns(t.db, { projectId: monitors.id, slug }, [
    { status: "ok", startedAt: daysAgo(29) },
    { status: "ok", startedAt: daysAgo(3) },
    { status: "missed", startedAt: daysAgo(3) },
    { status: "unknown", startedAt: daysAgo(2) },
    { status: "timeout", startedAt: daysAgo(1) },
    { status: "error", startedAt: daysAgo(40) },
  ]);
  const { status, body } = await monitors.admin.get(`/api/projects/${monitors.id}/monitor-days`);
  assert.equal(status, 200);
  const none = (count: number) => Array.from({ length: count }, () => "none");
  assert.deepEqual(body, {
    data: [
      { slug, days: ["ok", ...none(25), "bad", "none", "bad", "none"] },
      { slug: "never", days: none(30) },
    ],
  });
});
