import assert from "node:assert/strict";
import { test } from "node:test";
import { makePersonalToken, makeProject, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const { id } = await makeProject(t.db, workspace.id);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));

for (const [method, path] of [
  ["GET", `/api/projects/${id}/monitors/a%00b`],
  ["PATCH", `/api/projects/${id}/monitors/%00`],
  ["DELETE", `/api/projects/${id}/monitors/%00`],
  ["GET", `/api/projects/${id}/monitors/%00/check-ins`],
  ["GET", `/api/projects/${id}/releases/%00`],
  ["GET", "/api/forms/%00"],
  ["POST", "/api/git/%00"],
  ["GET", "/ping/%00"],
] as const)
  test(`a NUL in the path of ${method} ${path.replace(`/${id}/`, "/{project}/")} returns 404`, async () => {
    assert.equal((await admin.send({ method, url: path })).status, 404);
  });
