import assert from "node:assert/strict";
import { after, test } from "node:test";
import { cookieOf } from "../../../../test/support/client.ts";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import {
  makePersonalToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const provider = await startIdentityProvider();
const t = await useTestApp({ ...provider.settings, OIDC_TRUST_EMAIL: "true" });
after(() => provider.stop());

test("signing in with the identity provider and linking an identity are recorded for the user", async () => {
  const workspace = await makeWorkspace(t.db);
  const user = await makeWorkspaceMember(t.db, workspace.id, { user: await makeUser(t.db) });
  provider.people.set("one", { email: user.email, email_verified: true });
  const started = await t.http.get("/api/oidc/start");
  const path = await provider.signIn(String(started.headers["location"]), "one");
  const arrived = await t.http.send({
    method: "GET",
    url: path,
    headers: { cookie: cookieOf(started), "user-agent": "Odd browser" },
  });
  assert.equal(arrived.headers["location"], "/");
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const { data } = (await admin.get(`/api/workspaces/${workspace.id}/audit-events?actor_id=${user.id}`)).body;
  assert.deepEqual(
    data.map((event: Record<string, unknown>) => [event["kind"], event["details"], event["user_agent"]]),
    [
      ["session.created", {}, "Odd browser"],
      ["identity.linked", { issuer: provider.issuer, email: user.email }, "Odd browser"],
    ],
  );
});
