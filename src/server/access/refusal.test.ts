import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "./caller.ts";
import type { IngestKey } from "./ingest-key.ts";
import type { ProjectAccess } from "./project-access.ts";
import { mayUseKey, refusalOf, type RouteNeeds } from "./refusal.ts";

const PROJECT: ProjectAccess = {
  project: { id: 5, workspace_id: 1, key: "WEB" },
  features: { reports: true, error_tracking: true },
  access: { all: false, permissions: new Set(["error-groups:create"]) },
};
const ROUTE: RouteNeeds = {
  needs: "error-groups:create",
  feature: "error_tracking",
  projectToken: "read_write",
  reads: false,
};
const session: Caller = { kind: "session", key: "ses:1", user_id: 1, id_hash: Buffer.alloc(0) };
const personal: Caller = {
  kind: "personal",
  key: "pat:1",
  user_id: 1,
  token_id: 1,
  write: true,
  scope: null,
};
const token: Caller = { ...personal, kind: "project", key: "prj:1", project_id: 5, active: true };

const WITHOUT_ACCESS = { ...PROJECT, access: null };
const WITHOUT_PERMISSION = { ...PROJECT, access: { all: false, permissions: new Set(["issues:read"]) } };
const WITHOUT_FEATURE = { ...PROJECT, features: { reports: true, error_tracking: false } };
const OWNER = { ...PROJECT, access: { all: true, permissions: new Set<string>() } };

const NO_TOKENS: Record<string, undefined> = { projectToken: undefined };

const cases: [what: string, Caller, ProjectAccess, Partial<RouteNeeds>, message: string | undefined][] = [
  ["a session with the permission", session, PROJECT, {}, undefined],
  ["a personal token with write scope", personal, PROJECT, {}, undefined],
  ["a project token with write access", token, PROJECT, {}, undefined],
  ["an owner", session, OWNER, {}, undefined],
  ["a reading token that reads", { ...personal, write: false }, PROJECT, { reads: true }, undefined],
  ["any access where it suffices", session, WITHOUT_PERMISSION, { needs: "access" }, undefined],
  [
    "the token of another project",
    { ...token, project_id: 6 },
    PROJECT,
    {},
    "The token belongs to another project.",
  ],
  ["a caller without access", session, WITHOUT_ACCESS, {}, "You have no access to this project."],
  [
    "an inactive token",
    { ...token, active: false },
    PROJECT,
    {},
    "The token is not active for this project.",
  ],
  [
    "a caller without the permission",
    session,
    WITHOUT_PERMISSION,
    {},
    "You need the permission error-groups:create in this project.",
  ],
  [
    "a personal token without write scope",
    { ...personal, write: false },
    PROJECT,
    {},
    "The token has no write scope.",
  ],
  ["a project token that may only read", { ...token, write: false }, PROJECT, {}, "The token may only read."],
  ["a project token on another route", token, PROJECT, NO_TOKENS, "Project tokens may not do this."],
];
for (const [what, caller, of, route, message] of cases)
  test(`${what} is ${message === undefined ? "admitted" : "refused"}`, () => {
    const refusal = refusalOf(caller, of, { ...ROUTE, ...route });
    assert.deepEqual(
      [refusal?.status, refusal?.message],
      message === undefined ? [undefined, undefined] : [403, message],
    );
  });

test("the refusal for a feature that is off says so", () => {
  const refusal = refusalOf(session, WITHOUT_FEATURE, ROUTE);
  assert.equal(Object(refusal?.body).feature_restricted, true);
});

test("a key may be used for its own project, while it is active, and from its origins", () => {
  const key = {
    isActive: true,
    projectId: 5,
    allowedOrigins: ["https://shop.example"],
  } as unknown as IngestKey;
  assert.equal(mayUseKey(key, "5", "https://shop.example"), true);
  assert.equal(mayUseKey(key, undefined, undefined), true);
  assert.equal(mayUseKey(key, "6", undefined), false);
  assert.equal(mayUseKey(key, "5", "https://evil.example"), false);
  assert.equal(mayUseKey({ ...key, isActive: false }, "5", undefined), false);
});
