import assert from "node:assert/strict";
import type { CheckIn, Monitor } from "../../src/shared/monitors.ts";
import type { Client } from "./client.ts";
import { makeIngestKey, makePersonalToken, makeProject, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** A new project with monitors. */
export type TestMonitors = {
  id: number;
  /** The path of its monitors. */
  url: string;
  /** Its ingest key. */
  key: string;
  admin: Client;
  /** Creates a monitor; by default, it is due every minute. */
  create(body?: object): Promise<Monitor>;
  read(slug: string): Promise<Monitor>;
  /** The monitor's check-ins, newest first. */
  checkIns(slug: string, query?: string): Promise<CheckIn[]>;
  /** Calls the monitor's ping URL. */
  ping(monitor: Monitor, suffix?: string, body?: string): Promise<number>;
};

export async function openMonitors(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
): Promise<TestMonitors> {
  const { id } = await makeProject(t.db, workspace.id);
  const key = await makeIngestKey(t.db, id);
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const url = `/api/projects/${id}/monitors`;
  return {
    id,
    url,
    key,
    admin,
    create: async (body = {}) => {
      const schedule = { type: "crontab", value: "* * * * *" };
      const answer = await admin.post(url, { name: "Job", schedule, ...body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    read: async (slug) => (await admin.get(`${url}/${slug}`)).body,
    checkIns: async (slug, query = "") => (await admin.get(`${url}/${slug}/check-ins?${query}`)).body.data,
    ping: async ({ ping_url }, suffix = "", payload) => {
      const { pathname } = new URL(String(ping_url));
      const request = { method: "POST", url: pathname + suffix };
      return (await t.http.send(payload === undefined ? request : { ...request, payload })).status;
    },
  };
}
