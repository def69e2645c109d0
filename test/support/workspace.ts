import { makePersonalToken, makeWorkspace, makeWorkspaceMember } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** A workspace with clients of its administrator and of a member without a project. */
export async function openWorkspace(t: TestApp) {
  const { id, admin } = await makeWorkspace(t.db);
  const person = await makeWorkspaceMember(t.db, id);
  const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
  return { id, person, as, admin: await as(admin), member: await as(person) };
}

let count = 0;
/** A key that no project has yet. */
export const newKey = () => `KEY${++count}`;
