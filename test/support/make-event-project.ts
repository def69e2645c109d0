import assert from "node:assert/strict";
import type { Client } from "./client.ts";
import { makePersonalToken, makeProject, makeProjectToken, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

export type EventProject = {
  id: number;
  url: string;
  sender: Client;
  reader: Client;
  only(): Promise<Record<string, unknown>>;
};

/** Creates a project with a sender and a reader. */
export async function makeEventProject(
  t: TestApp,
  { id: workspaceId, admin }: { id: number; admin: TestUser },
): Promise<EventProject> {
  const { id } = await makeProject(t.db, workspaceId);
  const sender = t.http.as(await makeProjectToken(t.db, id, admin.id));
  const reader = t.http.as(await makePersonalToken(t.db, admin.id));
  const groups = `/api/projects/${id}/error-groups`;
  return {
    id,
    url: `/api/projects/${id}/error-events`,
    sender,
    reader,
    only: async () => {
      const list = await reader.get(groups);
      assert.equal(list.body.meta.count, 1, "one group expected");
      return (await reader.get(`${groups}/${list.body.data[0].id}`)).body;
    },
  };
}
