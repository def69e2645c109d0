import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { lockGroup, openTwoGroups } from "../../../../test/support/merge.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { BulkStatus } from "../../../shared/error-groups.ts";
import type { Issue } from "../../../shared/issues.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openTwoGroups(t, workspace);

type Opened = Awaited<ReturnType<typeof openTwoGroups>>;

const CHANGES: Record<string, (opened: Opened, group: string, issue: Issue) => Promise<Answer>> = {
  "a comment": ({ project }, group) => project.admin.post(`${group}/comments`, { content: "Hello" }),
  "a watch": ({ project }, group) => project.admin.put(`${group}/watch`, { watching: true }),
  "an assignment": ({ project }, group) => project.admin.patch(group, { assignee_id: workspace.admin.id }),
  "a resolution": ({ project }, group) => project.admin.post(`${group}/resolve`, { in: "next_release" }),
  "a snooze": ({ project }, group) => project.admin.post(`${group}/ignore`, { until: { users: 3 } }),
  "a promotion": ({ project }, group) => project.admin.post(`${group}/promote`),
  "a link": ({ project }, group, issue) => project.admin.post(`${group}/link`, { issue: issue.id }),
  "the end of a link": ({ project }, group) => project.admin.delete(`${group}/link`),
};

for (const [name, change] of Object.entries(CHANGES))
  test(`${name} that waits for a merge of the group returns 404 with merged_into`, async () => {
    const opened = await open();
    const { project, p, a, b, merge } = opened;
    const issue = (await project.admin.post(`${p}/issues`, { title: "Fix it" })).body as Issue;
    const [merged, changed] = await collide(t.database, lockGroup(b), async (waiting) => {
      const merging = merge();
      await waiting(1);
      const changing = change(opened, `${project.groups}/${b.id}`, issue);
      await waiting(2);
      return [merging, changing];
    });
    assert.deepEqual([merged?.status, changed?.status, changed?.body.merged_into], [200, 404, a.id]);
  });

test("bulk changes that wait for a merge refuse the merged group", async () => {
  for (const [url, change] of [
    ["bulk-assign", { assignee_id: workspace.admin.id }],
    ["bulk-status", { status: 2 }],
  ] as const) {
    const { project, a, b, merge } = await open();
    const [, changed] = await collide(t.database, lockGroup(b), async (waiting) => {
      const merging = merge();
      await waiting(1);
      const body = { error_group_ids: [b.id, a.id], ...change };
      const changing = project.admin.post(`/api/error-groups/${url}`, body);
      await waiting(2);
      return [merging, changing];
    });
    const { data, refused_ids } = (changed as Answer).body as BulkStatus;
    assert.deepEqual([data.map(({ id }) => id), refused_ids], [[a.id], [b.id]], url);
  }
});
