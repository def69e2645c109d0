import assert from "node:assert/strict";
import type { Report } from "../../src/shared/reports.ts";
import type { ReportStatus } from "../../src/shared/report-status.ts";
import type { Client } from "./client.ts";
import { upload, type Part } from "./multipart.ts";
import { openReports, type ReportProject } from "./reports.ts";
import type { TestApp } from "./test-app.ts";

/** A report from outside, with its status link. */
export type OutsideReport = {
  report: Report;
  /** The path of the report for the team. */
  path: string;
  token: string;
  /** The path of the API behind the link. */
  api: string;
};

/** A project that gets reports from outside. */
export type OutsideProject = ReportProject & {
  /** Sends a report with a project token. */
  send(fields?: Record<string, string>, images?: Buffer[]): Promise<OutsideReport>;
  /** What the author of a report sees. */
  status(of: { api: string }): Promise<ReportStatus>;
  /** Moves the issue of a report to the first lane of a kind. */
  move(issueId: number, kind: string): Promise<void>;
  promote(report: { id: number }): Promise<number>;
};

export async function openOutsideReports(t: TestApp): Promise<OutsideProject> {
  const p = await openReports(t);
  const project = `/api/projects/${p.id}`;
  return {
    ...p,
    send: async (fields, images = []) => {
      const report = await createReport(p, fields, images);
      const link = await p.admin.get(`${p.of(report)}/status-link`);
      assert.equal(link.status, 200, link.text);
      const token = new URL(link.body.url).pathname.slice("/r/".length);
      return { report, path: p.of(report), token, api: `/api/r/${token}` };
    },
    status: async ({ api }) => {
      const answer = await t.http.get(api);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    move: async (issueId, kind) => {
      const lanes = (await p.admin.get(`${project}/lanes`)).body.data as { id: number; kind: string }[];
      const lane_id = lanes.find((lane) => lane.kind === kind)?.id;
      assert.equal((await p.admin.patch(`${project}/issues/${issueId}`, { lane_id })).status, 200);
    },
    promote: (report) => promote(p.admin, p.reports, report.id),
  };
}

async function createReport(
  { token, reports }: ReportProject,
  fields: Record<string, string> = {},
  images: Buffer[],
): Promise<Report> {
  const body = {
    title: "The cart is empty",
    description: "After signing in.",
    author_name: "Kim Berg",
    ...fields,
  };
  const parts: Part[] = [
    ...Object.entries(body).map(([name, value]) => ({ name, value })),
    ...images.map((content, n) => ({ name: `files[${n}]`, filename: `${n}.png`, content })),
  ];
  const answer = await upload(token, reports, parts);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function promote(admin: Client, reports: string, id: number): Promise<number> {
  const body = { report_ids: [id], title: "Keep the cart", description: "Always" };
  const answer = await admin.post(`${reports}/promote`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body[0].promoted_issue_id;
}
