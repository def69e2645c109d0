import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Issue } from "../../src/shared/issues.ts";
import type { TestSite } from "./test-site.ts";

let count = 0;

export type TestBoard = {
  key: string;
  url: string;
  lanes: Record<"backlog" | "todo" | "doing" | "done", number>;
  make(title: string, fields?: Record<string, unknown>): Promise<Issue>;
  order(lane: number): Promise<string[]>;
};

/** Creates a project, so that tests do not see each other's cards. */
export async function createBoard(site: TestSite): Promise<TestBoard> {
  const key = `BD${++count}`;
  await created(site, "/api/projects", { key, name: `Board ${count}` });
  const url = `/api/projects/${key}`;
  const { data } = (await site.api.get(`${url}/lanes`)).body;
  const [backlog, todo, doing, done] = data.map((lane: { id: number }) => lane.id);
  return {
    key,
    url,
    lanes: { backlog, todo, doing, done },
    make: (title, fields = {}) => created(site, `${url}/issues`, { title, ...fields }) as Promise<Issue>,
    order: async (lane) => {
      const { body } = await site.api.get(`${url}/issues?lane_id=${lane}&sort=rank`);
      return body.data.map(({ title }: Issue) => title);
    },
  };
}

export async function created(site: TestSite, path: string, body: unknown): Promise<unknown> {
  const answer = await site.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export const lane = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
export const card = (page: Page, title: string) => page.getByRole("link", { name: title, exact: true });
export const inLane = (page: Page, name: string, title: string) =>
  lane(page, name).getByRole("link", { name: title, exact: true });
export const titlesIn = (page: Page, name: string) => lane(page, name).getByRole("link").allTextContents();
