import assert from "node:assert/strict";
import type { Report } from "../../src/shared/reports.ts";
import type { Client } from "../support/client.ts";
import { makeMember, makeProject, type RoleName, type TestUser } from "../support/make.ts";
import type { TestPage } from "./test-page.ts";
import type { OpenOptions, TestSite } from "./test-site.ts";

/** A project with reports in its queue and a manager of that project. */
export type ReportQueue = {
  key: string;
  id: number;
  reports: Report[];
  user: TestUser;
  client: Client;
  /** `/api/projects/12/reports` */
  path: string;
  /** Opens the triage page as the manager. */
  open(search?: string, options?: OpenOptions): Promise<TestPage>;
  makeMember(role: RoleName): Promise<TestUser>;
  /** The titles in the server's order. */
  order(): Promise<string[]>;
  read(index: number): Promise<Report>;
};

export async function openReportQueue(site: TestSite, ...titles: string[]): Promise<ReportQueue> {
  const { id, key } = await makeProject(site.t.db, site.workspaceId);
  const user = await makeMember(site.t.db, id, { role: "Manager" });
  const client = await site.clientOf(user);
  const path = `/api/projects/${id}/reports`;
  const reports: Report[] = [];
  for (const title of titles) {
    const answer = await client.post(path, { title, description: `What is seen: ${title.toLowerCase()}.` });
    assert.equal(answer.status, 201, answer.text);
    reports.push(answer.body);
  }
  return {
    id,
    key,
    reports,
    user,
    client,
    path,
    open: (search = "", options = {}) =>
      site.open(`/projects/${key}/triage${search}`, { as: user, ...options }),
    makeMember: (role) => makeMember(site.t.db, id, { role }),
    order: async () => ((await client.get(path)).body as Report[]).map(({ title }) => title),
    read: async (index) => (await client.get(`${path}/${reports[index]?.id}`)).body,
  };
}

export const rows = (page: TestPage) => page.getByRole("list", { name: /reports$/ }).getByRole("listitem");
export const row = (page: TestPage, title: string) => rows(page).filter({ hasText: title });
export const preview = (page: TestPage) => page.getByRole("region", { name: "Report", exact: true });

/** The titles of the rows in the document, from top to bottom. */
export async function shownTitles(page: TestPage): Promise<(string | null)[]> {
  const links = rows(page).getByRole("link");
  const found = await links.evaluateAll((elements) =>
    elements.map((link) => ({
      text: link.textContent,
      position: Number(link.closest("[role=listitem]")?.getAttribute("aria-posinset")),
    })),
  );
  return found.toSorted((a, b) => a.position - b.position).map(({ text }) => text);
}
