import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeCookie, makeMember, makeProject, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await makeProject(t.db, workspace.id);

for (const [what, kind, subject, url, body] of [
  ["projects", "project.created", "project", "/api/projects", { key: "MANY", name: "Many" }],
  [
    "project tokens",
    "token.created",
    "project_token",
    `/api/projects/${project.id}/tokens`,
    { name: "CI", access: "read" },
  ],
  [
    "ingest keys",
    "ingest_key.created",
    "ingest_key",
    `/api/projects/${project.id}/ingest-keys`,
    { name: "Shop" },
  ],
  ["personal tokens", "token.created", "personal_token", "/api/profile/tokens", { name: "Script" }],
] as const)
  test(`a person creates at most 100 ${what} in 24 hours`, async () => {
    const user = await makeMember(t.db, project.id, { is_owner: true });
    const other = await makeMember(t.db, project.id, { is_owner: true });
    const createdBy = (id: number, hoursAgo: number, subjectId: number) =>
      sql`
      insert into audit_events (workspace_id, actor_id, kind, subject_type, subject_id, details, created_at)
      values (${workspace.id}, ${id}, ${kind}, ${subject}, ${subjectId}, '{}', now() - make_interval(hours => ${hoursAgo}))`.execute(
        t.db,
      );
    for (let n = 0; n < 99; n++) await createdBy(user.id, 23, n + 1_000_000);
    for (let n = 0; n < 100; n++) await createdBy(user.id, 25, n + 2_000_000);
    for (let n = 0; n < 100; n++) await createdBy(other.id, 1, n + 3_000_000);
    const browser = t.http.withCookie(await makeCookie(t.db, user.id));
    assert.equal((await browser.post(url, body)).status, 201);
    const again = "key" in body ? { ...body, key: "MORE" } : body;
    const refused = await browser.post(url, again);
    assert.deepEqual(
      [refused.status, refused.body.message],
      [422, "You have created 100 of these in the last 24 hours. Try again later."],
    );
  });
