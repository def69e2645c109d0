import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
} from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { Authority } from "./authority.ts";
import { CachedLookups } from "./cached-lookup.ts";
import { callersByTokens } from "./caller.ts";
import { makeToken } from "./tokens.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

test("the callers behind many tokens are found in their order", async () => {
  const project = await makeProject(t.db, workspace.id);
  const [ada, max] = [await makeUser(t.db), await makeMember(t.db, project.id)];
  const tokens = [
    await makePersonalToken(t.db, ada.id),
    makeToken("pat").token,
    await makeProjectToken(t.db, project.id, max.id, { access: "read" }),
    "not a token",
    await makeProjectToken(t.db, project.id, max.id, { expired: true }),
    await makePersonalToken(t.db, max.id, { write: false }),
    await makeProjectToken(t.db, project.id, max.id, { active: false }),
  ];
  const callers = await callersByTokens(t.db, tokens);
  assert.deepEqual(
    callers.map((caller) => caller && [caller.kind, caller.user_id]),
    [
      ["personal", ada.id],
      undefined,
      ["project", max.id],
      undefined,
      undefined,
      ["personal", max.id],
      ["project", max.id],
    ],
  );
  assert.deepEqual(
    callers.map((caller) => caller?.kind === "project" && [caller.project_id, caller.write, caller.active]),
    [false, false, [project.id, false, true], false, false, false, [project.id, true, false]],
  );
});

test("a token's last use is recorded without waiting for a lock on its row", async () => {
  const { id } = await makeUser(t.db);
  const [held, free] = [await makePersonalToken(t.db, id), await makePersonalToken(t.db, id)];
  const rows = () =>
    t.db
      .selectFrom("personal_tokens")
      .select("last_used_at")
      .where("user_id", "=", id)
      .orderBy("id")
      .execute();
  await t.db.transaction().execute(async (tx) => {
    const [first] = await tx
      .selectFrom("personal_tokens")
      .select("id")
      .where("user_id", "=", id)
      .orderBy("id")
      .execute();
    await tx
      .selectFrom("personal_tokens")
      .select("id")
      .where("id", "=", first?.id ?? 0)
      .forUpdate()
      .execute();
    assert.equal((await callersByTokens(t.db, [held, free])).filter(Boolean).length, 2);
  });
  assert.deepEqual(
    (await rows()).map(({ last_used_at }) => last_used_at !== null),
    [false, true],
  );
});

test("concurrent look-ups of many senders return each sender's own permissions", async () => {
  const authority = new Authority(t.db, new CachedLookups());
  const projects = await Promise.all(Array.from({ length: 5 }, () => makeProject(t.db, workspace.id)));
  const people = await Promise.all(
    projects.map(({ id }, n) =>
      makeMember(t.db, id, {
        role: { permissions: n % 2 === 0 ? ["issues:read"] : ["error-groups:create"] },
      }),
    ),
  );
  const asked = projects.flatMap((project) => people.map((person) => ({ project, person })));
  const found = await Promise.all(
    asked.map(({ project, person }, n) =>
      authority.project(n % 2 === 0 ? String(project.id) : project.key, person.id),
    ),
  );
  for (const [n, { project, person }] of asked.entries()) {
    assert.equal(found[n]?.project.id, project.id);
    const own = projects.indexOf(project) === people.indexOf(person);
    const permission = people.indexOf(person) % 2 === 0 ? "issues:read" : "error-groups:create";
    assert.deepEqual([...(found[n]?.access?.permissions ?? [])], own ? [permission] : []);
  }
  assert.equal(await authority.project("NOPE", people[0]?.id ?? 0), undefined);
});
