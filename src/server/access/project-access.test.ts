import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, type RawBuilder } from "kysely";
import {
  makeMember,
  makeProject,
  makeTeam,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { PERMISSIONS, type Permission } from "../../shared/permissions.ts";
import { accessibleProjects, projectsWhere, usersWhere } from "./access-queries.ts";
import { isFeatureOffEverywhere } from "./features.ts";
import { type Access, holds, projectReaders, readerOfProjects, readProjectAccess } from "./project-access.ts";
import type { Caller } from "./caller.ts";

/**
 * Members with every combination of roles, teams and states, checked with all functions that implement the rule of
 * access, against the rule written in TypeScript.
 */

type Person = {
  user: TestUser;
  admin: boolean;
  active: boolean;
  /** Permissions of their own role; undefined if they are not a member. */
  own: Permission[] | undefined;
  is_owner: boolean;
  teams: number[];
};

const OWN: Permission[] = ["issues:read", "comments:create"];
const TEAMS: Permission[][] = [["reports:read", "issues:read"], ["error-groups:read"], []];

const people: Person[] = [];
const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
const project = await makeProject(t.db, workspaceId);
const other = await makeProject(t.db, workspaceId);
for (const admin of [false, true])
  for (const active of [true, false])
    for (const [own, is_owner] of [
      [undefined, false],
      [OWN, false],
      [OWN, true],
    ] as const)
      for (const teams of [[], [0], [0, 1], [2]]) {
        const user = await makeWorkspaceMember(t.db, workspaceId, { is_admin: admin });
        const role = { permissions: [...(own ?? [])] };
        if (own) await makeMember(t.db, project.id, { user, role, is_owner });
        people.push({ user, admin, active, own: own && [...own], is_owner, teams });
      }
for (const [index, permissions] of TEAMS.entries()) {
  const members = people.filter((person) => person.teams.includes(index)).map((person) => person.user);
  await makeTeam(t.db, workspaceId, { members, projects: [project], role: { permissions } });
}
const gone = people.filter((person) => !person.active).map((person) => person.user.id);
await t.db
  .updateTable("workspace_members")
  .set({ deactivated_at: sql<string>`now()` })
  .where("user_id", "in", gone)
  .execute();

/** The rule of access. */
function expected({ admin, active, own, is_owner, teams }: Person): Access | null {
  if (!active) return null;
  if (admin || is_owner) return { all: true, permissions: new Set() };
  if (!own && teams.length === 0) return null;
  const permissions = [...(own ?? []), ...teams.flatMap((index) => TEAMS[index] ?? [])];
  return { all: false, permissions: new Set(permissions) };
}

const may = (person: Person, permission?: Permission) => {
  const access = expected(person);
  return permission === undefined ? access !== null : holds(access, permission);
};
const session = (user: { id: number }): Caller => ({
  kind: "session",
  key: "",
  user_id: user.id,
  id_hash: Buffer.alloc(0),
});
const read = async (query: RawBuilder<unknown>, column: string) => {
  const { rows } = await (query as RawBuilder<Record<string, number>>).execute(t.db);
  return rows.map((row) => row[column]).sort((a = 0, b = 0) => a - b);
};

test("permissions in a project are the union over all ways of access", async () => {
  const outcomes = new Set<string>();
  for (const person of people) {
    const wanted = expected(person);
    const found = [
      await readProjectAccess(t.db, String(project.id), person.user.id),
      await readProjectAccess(t.db, project.key, person.user.id),
    ];
    for (const one of found) {
      assert.deepEqual(one?.project, { ...project, workspace_id: workspaceId });
      assert.equal(one?.access?.all, wanted?.all);
      for (const permission of PERMISSIONS)
        assert.equal(holds(one?.access ?? null, permission), may(person, permission), permission);
    }
    outcomes.add(wanted === null ? "none" : wanted.all ? "all" : [...wanted.permissions].sort().join());
  }
  assert.equal(outcomes.size, 8, "the people are not different enough");
});

test("a user's projects are those with access, or with the permission, without duplicates", async () => {
  for (const person of people) {
    const elsewhere = person.admin && person.active ? [other.id] : [];
    const wanted = (yes: boolean) => [...(yes ? [project.id] : []), ...elsewhere];
    assert.deepEqual(await read(accessibleProjects(person.user.id), "id"), wanted(may(person)));
    for (const permission of ["issues:read", "reports:read", "project:update"] as const)
      assert.deepEqual(
        await read(projectsWhere(session(person.user), permission), "id"),
        wanted(may(person, permission)),
        permission,
      );
  }
});

test("a project's users are those with access, or with the permission, without duplicates", async () => {
  const { id: admin_id } = await t.db
    .selectFrom("workspace_members")
    .select("user_id as id")
    .where("workspace_id", "=", workspaceId)
    .orderBy("user_id")
    .executeTakeFirstOrThrow();
  for (const permission of [undefined, ...PERMISSIONS]) {
    const wanted = people.filter((person) => may(person, permission)).map((person) => person.user.id);
    assert.deepEqual(await read(usersWhere({ id: project.id }, permission), "user_id"), [
      admin_id,
      ...wanted,
    ]);
  }
});

test("reading the access of many users returns what reading each of them does", async () => {
  const users = [...people.map((person) => person.user.id), (await makeUser(t.db)).id];
  const readers = await projectReaders(t.db, [project.id], users);
  assert.deepEqual(
    readers.map((reader) => reader.user_id).sort((a, b) => a - b),
    people.filter((person) => may(person)).map((person) => person.user.id),
  );
  for (const reader of readers) {
    const one = await readProjectAccess(t.db, String(project.id), reader.user_id);
    assert.deepEqual([reader.access, reader.features], [one?.access, one?.features]);
    assert.deepEqual(await readerOfProjects(t.db, reader.user_id, project.id), [reader]);
    const all = await readerOfProjects(t.db, reader.user_id);
    assert.deepEqual(
      all.find(({ project_id }) => project_id === project.id),
      reader,
    );
  }
});

test("a project token finds only its own project, and only while its creator has access", async () => {
  for (const person of people.filter((one) => one.admin)) {
    const caller = {
      ...session(person.user),
      kind: "project",
      token_id: 1,
      write: true,
      project_id: project.id,
    };
    for (const active of [true, false])
      assert.deepEqual(
        await read(projectsWhere({ ...caller, active } as Caller, "issues:read"), "id"),
        active && person.active ? [project.id] : [],
      );
  }
});

test("a feature is off for callers with projects if it is off in all of their workspaces", async () => {
  const lone = await makeWorkspace(t.db, { features: { reports: false } });
  const caller = session(lone.admin);
  assert.equal(await isFeatureOffEverywhere(t.db, caller, "reports"), false, "no project");
  await makeProject(t.db, lone.id);
  assert.equal(await isFeatureOffEverywhere(t.db, caller, "error_tracking"), false);
  assert.equal(await isFeatureOffEverywhere(t.db, caller, "reports"), true);
  for (const person of people.filter((one) => !one.active))
    assert.equal(await isFeatureOffEverywhere(t.db, session(person.user), "error_tracking"), false);
});
