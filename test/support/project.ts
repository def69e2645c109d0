import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Client } from "./client.ts";
import { anEvent } from "./error-events.ts";
import { makePersonalToken, makeProject, makeProjectToken, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** A new project that receives events, with an administrator who reads and handles its groups. */
export type TestProject = {
  id: number;
  /** The paths of its events and groups. */
  events: string;
  groups: string;
  admin: Client;
  sender: Client;
  /** Sends an event; fails if it is rejected. */
  send(overrides?: Record<string, unknown>): Promise<void>;
  /** Its only group as full resource. */
  only(): Promise<ErrorGroup>;
  /** Sends one event and returns the group it created. */
  first(overrides?: Record<string, unknown>): Promise<ErrorGroup>;
};

export async function openProject(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
): Promise<TestProject> {
  const { id } = await makeProject(t.db, workspace.id);
  const sender = t.http.as(await makeProjectToken(t.db, id, workspace.admin.id));
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const events = `/api/projects/${id}/error-events`;
  const groups = `/api/projects/${id}/error-groups`;
  const send = async (overrides?: Record<string, unknown>) => {
    assert.equal((await sender.post(events, anEvent(overrides))).status, 202);
  };
  const only = async () => {
    const list = await admin.get(groups);
    assert.equal(list.body.meta.count, 1, "one group expected");
    return (await admin.get(`${groups}/${list.body.data[0].id}`)).body as ErrorGroup;
  };
  return {
    id,
    events,
    groups,
    admin,
    sender,
    send,
    only,
    first: async (overrides) => {
      await send(overrides);
      return only();
    },
  };
}
