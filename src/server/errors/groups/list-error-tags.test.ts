import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { sendAs } from "../../../../test/support/merge.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorTags } from "../../../shared/kept-events.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

test("the tags of a project are those of its errors' newest events, the most frequent first", async () => {
  const project = await openProject(t, workspace);
  const other = await openProject(t, workspace);
  await sendAs(project, "A", { tags: { payment: "cash", gone: "1" } });
  await sendAs(project, "A", { tags: { payment: "card", locale: "de" } });
  await sendAs(project, "B", { tags: { payment: "card" } });
  await sendAs(project, "C", { tags: { payment: "invoice" } });
  await sendAs(other, "D", { tags: { planet: "mars" } });
  const expected: ErrorTags = [
    {
      key: "payment",
      values: [
        { value: "card", error_groups: 2 },
        { value: "invoice", error_groups: 1 },
      ],
    },
    { key: "locale", values: [{ value: "de", error_groups: 1 }] },
  ];
  assert.deepEqual((await project.admin.get(`${project.groups}/tags`)).body, expected);
  const all = (await project.admin.get("/api/error-groups/tags")).body as ErrorTags;
  assert.deepEqual(
    all.map(({ key }) => key),
    ["payment", "locale", "planet"],
  );
});

test("the tags of all projects leave out projects that the caller may not read", async () => {
  const [own, hidden] = [await makeWorkspace(t.db), await makeWorkspace(t.db)];
  const [project, foreign] = [await openProject(t, own), await openProject(t, hidden)];
  await sendAs(project, "A", { tags: { seen: "1" } });
  await sendAs(foreign, "B", { tags: { hidden: "1" } });
  assert.deepEqual((await project.admin.get("/api/error-groups/tags")).body, [
    { key: "seen", values: [{ value: "1", error_groups: 1 }] },
  ]);
});
