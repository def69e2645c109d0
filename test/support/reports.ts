import assert from "node:assert/strict";
import type { Report } from "../../src/shared/reports.ts";
import type { Client } from "./client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
  type RoleName,
  type TestUser,
} from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** A new project with a queue of reports. */
export type ReportProject = {
  id: number;
  key: string;
  workspaceId: number;
  /** The path of its reports; `of` returns that of one report. */
  reports: string;
  of(report: { id: number }): string;
  admin: Client;
  adminUser: TestUser;
  /** The client of a project token with Read & write access. */
  token: Client;
  /** Adds a new user with a role to the project. */
  member(role: RoleName | { permissions: string[] }): Promise<{ user: TestUser; client: Client }>;
  /** Creates a report, by default as the administrator; fails if that is rejected. */
  create(title?: string, by?: Client): Promise<Report>;
  list(view?: string): Promise<Report[]>;
  ids(): Promise<number[]>;
};

export async function openReports(t: TestApp): Promise<ReportProject> {
  const workspace = await makeWorkspace(t.db);
  const { id, key } = await makeProject(t.db, workspace.id);
  const as = async (user: TestUser) => t.http.as(await makePersonalToken(t.db, user.id));
  const admin = await as(workspace.admin);
  const reports = `/api/projects/${id}/reports`;
  const list = async (view?: string): Promise<Report[]> => {
    const answer = await admin.get(view === undefined ? reports : `${reports}?view=${view}`);
    assert.equal(answer.status, 200);
    return answer.body;
  };
  return {
    id,
    key,
    workspaceId: workspace.id,
    reports,
    of: (report) => `${reports}/${report.id}`,
    admin,
    adminUser: workspace.admin,
    token: t.http.as(await makeProjectToken(t.db, id, workspace.admin.id)),
    member: async (role) => {
      const user = await makeMember(t.db, id, { role });
      return { user, client: await as(user) };
    },
    create: async (title = "A report", by = admin) => {
      const answer = await by.post(reports, { title, description: "What happened" });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    list,
    ids: async () => (await list()).map((report) => report.id),
  };
}
