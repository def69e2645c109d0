import assert from "node:assert/strict";
import type { Issue } from "../../src/shared/issues.ts";
import type { TestPage } from "./test-page.ts";
import type { TestSite } from "./test-site.ts";

/** Projects and rows of the list of issues. */
export function issueLists(site: TestSite) {
  let count = 0;

  async function created<T>(path: string, body: unknown): Promise<T> {
    const answer = await site.api.post(path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body as T;
  }

  /** Creates a project, so that tests do not see each other's issues. */
  async function ownProject() {
    const key = `LS${++count}`;
    await created("/api/projects", { key, name: `List ${count}` });
    const url = `/api/projects/${key}`;
    return {
      key,
      url,
      make: (title: string, fields = {}) => created<Issue>(`${url}/issues`, { title, ...fields }),
      read: async (id: number): Promise<Issue> => (await site.api.get(`${url}/issues/${id}`)).body,
      laneNamed: async (name: string): Promise<number> =>
        (await site.api.get(`${url}/lanes`)).body.data.find((lane: { name: string }) => lane.name === name)
          .id,
    };
  }

  return { created, ownProject };
}

export const row = (page: TestPage, title: string) => page.getByRole("link", { name: title, exact: true });
export const focused = (page: TestPage) => page.evaluate(() => document.activeElement?.textContent);
export const titles = (page: TestPage) =>
  page.getByRole("list", { name: "Issues" }).getByRole("link").allTextContents();
