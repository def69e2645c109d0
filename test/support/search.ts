import assert from "node:assert/strict";
import type { SearchHit, SearchKind } from "../../src/shared/search.ts";
import { openBoard, type Board } from "./board.ts";
import type { Client } from "./client.ts";
import { anEvent } from "./error-events.ts";
import { makeProjectToken, type TestUser } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** A board that can also create reports, error groups and comments. */
export type Searched = Board & {
  created(path: string, body: unknown): Promise<{ id: number; content: string }>;
  /** Sends an event with a unique trace, and returns the id of its group. */
  group(exception_class: string, message?: string): Promise<number>;
  /** Creates one object of each kind with the word in its text, including a comment on an issue and one on an epic. */
  fill(word: string): Promise<Filled>;
};

export type Filled = {
  issue: number;
  epic: number;
  report: number;
  error_group: number;
  issue_comment: number;
  epic_comment: number;
};

let count = 0;

export async function openSearched(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
): Promise<Searched> {
  const board = await openBoard(t, workspace);
  const sender = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  const created: Searched["created"] = async (path, body) => {
    const answer = await board.admin.post(board.url + path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const group: Searched["group"] = async (exception_class, message = "") => {
    const stack_trace = `#0 /srv/app/src/Searched${++count}.php(1): run()`;
    const event = anEvent({ exception_class, message, stack_trace });
    assert.equal((await sender.post(`${board.url}/error-events`, event)).status, 202);
    const { data } = (await board.admin.get(`${board.url}/error-groups`)).body;
    return Math.max(...data.map((one: { id: number }) => one.id));
  };
  return {
    ...board,
    created,
    group,
    fill: async (word) => {
      const text = `The ${word} is here.`;
      const issue = await board.make({ title: "One", description: text });
      const epic = await created("/epics", { title: "Two", description: text });
      const report = await created("/reports", { title: "Three", description: text });
      return {
        issue: issue.id,
        epic: epic.id,
        report: report.id,
        error_group: await group("FourException", text),
        issue_comment: (await created(`/issues/${issue.id}/comments`, { content: text })).id,
        epic_comment: (await created(`/epics/${epic.id}/comments`, { content: text })).id,
      };
    },
  };
}

/** The hits of a search; fails if it is rejected. */
export async function hits(by: Client, query: string, more = ""): Promise<SearchHit[]> {
  const answer = await by.get(`/api/search?query=${encodeURIComponent(query)}${more}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.meta, { next_cursor: null });
  return answer.body.data;
}

/** The kind and id of each hit, sorted. */
export async function found(by: Client, query: string, more = ""): Promise<[SearchKind, number][]> {
  const list = await hits(by, query, more);
  return list
    .map(({ kind, id }): [SearchKind, number] => [kind, id])
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x - y));
}
