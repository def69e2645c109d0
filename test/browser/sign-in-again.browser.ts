import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { makeIdentity } from "../support/provider-sign-in.ts";
import { useTestSite } from "./test-site.ts";

const provider = await startIdentityProvider();
after(() => provider.stop());
const site = await useTestSite({ ...provider.settings, OIDC_NAME: "Acme Login" });

const SECURITY = "/settings/profile?section=security";

test("an account without a password signs in again with its provider and then sets a password", async () => {
  const user = await makeIdentity(site.t.db, provider, "fresh");
  const page = await site.open(SECURITY, { as: user });
  const field = page.getByLabel("New password");
  await field.fill("correct horse battery");
  await page.keyboard.press("Enter");
  await page
    .getByText(/sign in again/i)
    .first()
    .waitFor();
  await page.checkAccessibility();

  provider.subject = "fresh";
  const cameBack = page.waitForResponse(/\/api\/oidc\/callback/);
  await page.getByRole("button", { name: "Sign in again with Acme Login" }).first().click();
  await cameBack;
  await page.waitForURL(`${site.url}${SECURITY}`);
  await field.fill("correct horse battery");
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").waitFor();
  await page.leave();
});

for (const [subject, message] of [
  ["", "Sign-in was canceled."],
  ["another", /not linked to your account/],
] as const)
  test(`signing in again as ${subject || "nobody"} comes back to the profile, which says why it failed`, async () => {
    const user = await makeIdentity(site.t.db, provider, `own-${subject}`);
    if (subject !== "") await makeIdentity(site.t.db, provider, subject);
    const page = await site.open(SECURITY, { as: user });
    provider.subject = subject;
    await page.getByRole("button", { name: "Sign in again with Acme Login" }).first().click();
    await page.getByText(message).waitFor();
    assert.equal(new URL(page.url()).pathname, "/settings/profile");
    await page.getByRole("button", { name: "Sign in again with Acme Login" }).first().waitFor();
    await page.leave();
  });
