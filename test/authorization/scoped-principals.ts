import { SCOPES, type Scope as TokenScope } from "../../src/shared/token-scopes.ts";
import type { Permission } from "../../src/shared/permissions.ts";
import { makeMember, makePersonalToken, type TestUser } from "../support/make.ts";
import type { TestApp } from "../support/test-app.ts";
import type { Fixture } from "./fixture.ts";
import { may, ROLES, type Principal, type Scope } from "./principals.ts";

/** The permissions that each scope can have at most, repeated here to detect unintended changes. */
const PERMISSIONS_OF: Record<TokenScope, Permission[]> = {
  "reports:read": ["reports:read"],
  "reports:write": [
    "reports:create",
    "reports:read",
    "reports:update",
    "reports:delete",
    "comments:create",
    "attachments:create",
    "attachments:delete",
  ],
  "issues:read": ["issues:read", "epics:read"],
  "issues:write": [
    "issues:create",
    "issues:read",
    "issues:update",
    "issues:delete",
    "epics:create",
    "epics:read",
    "epics:update",
    "epics:delete",
    "comments:create",
    "attachments:create",
    "attachments:delete",
  ],
  "errors:read": ["error-groups:read"],
  "errors:write": [
    "error-groups:create",
    "error-groups:read",
    "error-groups:update",
    "error-groups:delete",
    "comments:create",
    "attachments:create",
    "attachments:delete",
  ],
};

/** Tokens with scopes: each scope alone for project A, and combinations of them. */
export async function createScopedPrincipals(t: TestApp, fixture: Fixture): Promise<Principal[]> {
  const a = Number(fixture.A["projectId"]);
  const viewer = await makeMember(t.db, a, { role: "Viewer" });
  const former = await makeMember(t.db, a, { role: "Manager" });
  const administrator = {
    user: fixture.one.admin,
    own: { A: "all", B: "all" },
    workspaces: { one: "administrator" },
  } as const;
  const ofViewer = { user: viewer, own: { A: ROLES.Viewer }, workspaces: { one: "member" } } as const;
  const principals = [];
  for (const scope of SCOPES) principals.push(await scoped(t, fixture, scope, administrator, [scope], ["A"]));
  principals.push(
    await scoped(t, fixture, "two scopes", administrator, ["issues:write", "errors:read"], ["A"]),
    await scoped(t, fixture, "all scopes of B", administrator, SCOPES, ["B"]),
    await scoped(t, fixture, "a Viewer's with all scopes", ofViewer, SCOPES, ["A"]),
    await scoped(
      t,
      fixture,
      "all scopes of a user who lost access",
      { ...ofViewer, user: former, own: {} },
      SCOPES,
      ["A"],
    ),
  );
  const removed = await fixture.clients.A.delete(`/api/projects/${a}/members/${former.id}`);
  if (removed.status !== 204) throw new Error(removed.text);
  return principals;
}

type Holder = Pick<Principal, "workspaces"> & { user: TestUser; own: Principal["rights"] };

async function scoped(
  t: TestApp,
  fixture: Fixture,
  name: string,
  { user, own, workspaces }: Holder,
  scopes: readonly TokenScope[],
  projects: readonly Scope[],
): Promise<Principal> {
  const project_ids = projects.map((project) => Number(fixture[project]["projectId"]));
  const secret = await makePersonalToken(t.db, user.id, { scopes: [...scopes], project_ids });
  const who: Principal = {
    name: `a token with ${name}`,
    client: t.http.as(secret),
    headers: { authorization: `Bearer ${secret}` },
    credential: "token",
    kind: "personal",
    write: scopes.some((scope) => scope.endsWith(":write")),
    project: "A",
    active: true,
    rights: own,
    workspaces,
    scopes,
    own,
  };
  const permissions = [...new Set(scopes.flatMap((scope) => PERMISSIONS_OF[scope]))];
  const limited = projects
    .filter((project) => own[project] !== undefined)
    .map((project) => [project, new Set(permissions.filter((one) => may(who, project, one)))]);
  return { ...who, rights: Object.fromEntries(limited) as Principal["rights"] };
}
