import assert from "node:assert/strict";
import { sql } from "kysely";
import type { KeptEvent, ListedEvent } from "../../src/shared/kept-events.ts";
import type { TestUser } from "./make.ts";
import { openProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

/** A project whose events belong to one group. */
export async function openKeptEvents(t: TestApp, workspace: { id: number; admin: TestUser }) {
  const project = await openProject(t, workspace);
  const url = async () => `${project.groups}/${(await project.only()).id}`;
  const list = async (query = "") => (await project.admin.get(`${await url()}/events${query}`)).body;
  const messages = async (query = "?limit=200") =>
    ((await list(query)).data as ListedEvent[]).map(({ message }) => message);
  const read = async (which: string | number) =>
    (await project.admin.get(`${await url()}/events/${which}`)).body as KeptEvent;
  /** Sends events with the messages `from` to `to`, one after the other. */
  const sendMany = async (from: number, to: number, overrides: object = {}) => {
    for (let n = from; n <= to; n++) await project.send({ message: `${n}`, ...overrides });
  };
  /** As if the last event had been kept this long ago. */
  const wait = (seconds: number) =>
    sql`update error_groups set last_kept_at = last_kept_at - make_interval(secs => ${seconds})
      where project_id = ${project.id}`.execute(t.db);
  /** A report about the event with this id. Returns the ids of its groups. */
  const report = async (error_event_id: string) => {
    const body = { title: "Broken", description: "It does not work.", error_event_id };
    const made = await project.admin.post(`/api/projects/${project.id}/reports`, body);
    assert.equal(made.status, 201, made.text);
    return made.body.error_group_ids as number[];
  };
  return { ...project, url, list, messages, read, sendMany, wait, report };
}
