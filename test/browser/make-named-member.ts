import { makeWorkspaceMember, type TestUser } from "../support/make.ts";
import type { TestSite } from "./test-site.ts";

/** Creates a member of the workspace with the given name. */
export async function makeNamedMember(
  site: TestSite,
  first_name: string,
  last_name: string,
  workspaceId = site.workspaceId,
): Promise<TestUser> {
  const user = await makeWorkspaceMember(site.t.db, workspaceId);
  await site.t.db.updateTable("users").set({ first_name, last_name }).where("id", "=", user.id).execute();
  return user;
}
