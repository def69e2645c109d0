import assert from "node:assert/strict";
import type { Issue } from "../../src/shared/issues.ts";
import type { Client } from "./client.ts";
import { makePersonalToken, makeProject, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** A new project with its four lanes, and the client of a workspace administrator. */
export type Board = {
  id: number;
  key: string;
  /** `/api/projects/12` */
  url: string;
  issues: string;
  admin: Client;
  adminId: number;
  lanes: { backlog: number; todo: number; doing: number; done: number };
  /** Creates an issue; fails if that is rejected. */
  make(fields?: Record<string, unknown>): Promise<Issue>;
  read(id: number): Promise<Issue>;
  /** The ids of a lane's issues from top to bottom. */
  order(lane: number): Promise<number[]>;
  /** Creates a label, sprint or epic. */
  label(name?: string): Promise<number>;
  sprint(): Promise<number>;
  epic(): Promise<number>;
};

let count = 0;

export async function openBoard(t: TestApp, workspace: { id: number; admin: TestUser }): Promise<Board> {
  const { id, key } = await makeProject(t.db, workspace.id);
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const url = `/api/projects/${id}`;
  const issues = `${url}/issues`;
  const created = async (path: string, body: unknown) => {
    const answer = await admin.post(path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const { data } = (await admin.get(`${url}/lanes`)).body;
  const [backlog, todo, doing, done] = data.map((lane: { id: number }) => lane.id);
  return {
    id,
    key,
    url,
    issues,
    admin,
    adminId: workspace.admin.id,
    lanes: { backlog, todo, doing, done },
    make: (fields = {}) => created(issues, { title: `Issue ${++count}`, ...fields }),
    read: async (issueId) => (await admin.get(`${issues}/${issueId}`)).body,
    order: async (lane) => {
      const { body } = await admin.get(`${issues}?lane_id=${lane}&sort=rank&limit=200`);
      assert.equal(body.meta.next_cursor, null);
      return body.data.map((issue: Issue) => issue.id);
    },
    label: async (name = `Label ${++count}`) =>
      (await created(`${url}/labels`, { name, color: "#1f6feb" })).id,
    sprint: async () => (await created(`${url}/sprints`, { name: `Sprint ${++count}` })).id,
    epic: async () => (await created(`${url}/epics`, { title: `Epic ${++count}` })).id,
  };
}
