import assert from "node:assert/strict";
import type { Client } from "./client.ts";
import { cookieOf } from "./client.ts";
import { anEvent } from "./error-events.ts";
import { fillErrorTables } from "./fill-error-tables.ts";
import { png } from "./images.ts";
import { upload } from "./multipart.ts";
import { SETUP_TOKEN, type TestApp } from "./test-app.ts";

/** An installation with objects of every kind, created over HTTP. */
export type Filled = {
  /** The session cookie of the first user, an administrator. */
  cookie: string;
  browser: Client;
  token: string;
  /** URLs whose responses do not change while only the project `busy` receives events. */
  reads: string[];
  issues: string;
  /** The path of a report with two attachments. */
  reportWithFiles: string;
  /** The number of stored files. */
  files: number;
  /** A separate project to send events to. */
  busy: { sender: Client; events: string; groups: string };
};

export async function fillInstallation(t: TestApp): Promise<Filled> {
  const setup = await t.http.post("/api/setup", {
    setup_token: SETUP_TOKEN,
    workspace_name: "Acme",
    first_name: "Ada",
    last_name: "Moss",
    username: "ada",
    email: "ada@example.com",
    password: "correct horse",
  });
  assert.equal(setup.status, 201, setup.text);
  const cookie = cookieOf(setup);
  const browser = t.http.withCookie(cookie);
  const make = async (url: string, body?: unknown, by = browser) => {
    const answer = await by.post(url, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${url} ${answer.text}`);
    return answer.body;
  };
  const workspace = (await browser.get("/api/workspaces")).body.data[0].id;
  const { token } = await make("/api/profile/tokens", { name: "cli", write: true });
  const role = await make(`/api/workspaces/${workspace}/roles`, {
    name: "Tester",
    permissions: ["issues:read"],
  });
  const project = await make("/api/projects", { key: "WEB", name: "Web", description: "The site" });
  const url = `/api/projects/${project.id}`;
  await make(`/api/workspaces/${workspace}/invitations`, {
    email: "bo@example.com",
    projects: [{ project_id: project.id, role_id: role.id }],
  });
  const label = await make(`${url}/labels`, { name: "bug", color: "#1f6feb" });
  const sprint = await make(`${url}/sprints`, { name: "Sprint 1", goal: "Ship", starts_on: "2026-11-16" });
  const epic = await make(`${url}/epics`, { title: "Checkout", description: "All of it" });
  const issues = `${url}/issues`;
  const first = await make(issues, {
    title: "Totals are wrong: café 😀",
    description: "See\tthe\nsteps \\. and \\N",
    label_ids: [label.id],
    sprint_id: sprint.id,
    epic_id: epic.id,
  });
  const second = await make(issues, { title: "Blocked", assignee_id: setup.body.id ?? null });
  const comments = `${issues}/${first.id}/comments`;
  const root = await make(comments, { content: "Look at **this**, @ada" });
  await make(comments, { content: "A reply", parent_id: root.id });
  await make(`${comments}/${root.id}/like`);
  await make(`${comments}/${root.id}/pin`);
  await make(`${issues}/${second.id}/watch`);

  const sending = await make(`${url}/tokens`, { name: "app", access: "read_write" });
  const sender = t.http.as(sending.token);
  const reports = `${url}/reports`;
  const sent = await upload(sender, reports, [
    { name: "title", value: "The page is blank" },
    { name: "description", value: "After a click" },
    { name: "files[0]", filename: "a.png", content: await png() },
    { name: "files[1]", filename: "b.png", content: await png(50, 20) },
  ]);
  assert.equal(sent.status, 201, sent.text);
  const other = await make(reports, { title: "Another", description: "one" });
  const attached = await upload(browser, `${reports}/${other.id}/attachments`, [
    { name: "file", filename: "empty.txt", content: "x" },
  ]);
  assert.equal(attached.status, 201, attached.text);
  await make(`${reports}/promote`, {
    report_ids: [other.id],
    title: "Promoted",
    description: "From a report",
  });
  const picture = await upload(browser, "/api/profile/picture", [
    { name: "file", filename: "me.png", content: await png(300, 300) },
  ]);
  assert.ok(picture.status < 300, picture.text);

  const events = `${url}/error-events`;
  for (const place of [1, 2, 3])
    for (const release of ["1.0", "1.1"]) {
      const event = anEvent({
        stack_trace: `#0 /srv/app/src/Place${place}.php(12): run()`,
        release,
        user_hash: String(place).padStart(64, "a"),
        context: { kind: "job", name: "Import", queue: "slow", attempt: 2 },
      });
      assert.equal((await sender.post(events, event)).status, 202);
    }
  const groups = `${url}/error-groups`;
  const list = (await browser.get(groups)).body.data as { id: number }[];
  assert.equal(list.length, 3);
  await fillErrorTables(t.db, project.id, (await browser.get("/api/profile")).body.id);
  const busy = await openBusy(t, make);
  const attachments = `${reports}/${sent.body.id}/attachments`;
  const [one] = (await browser.get(attachments)).body;
  let files = 0;
  for await (const _ of t.storage.list()) files++;
  return {
    cookie,
    browser,
    token,
    issues,
    reportWithFiles: `${reports}/${sent.body.id}`,
    files,
    busy,
    reads: [
      url,
      "/api/profile",
      "/api/profile/tokens",
      "/api/projects",
      "/api/workspaces",
      `/api/workspaces/${workspace}/members`,
      `/api/workspaces/${workspace}/roles`,
      `/api/workspaces/${workspace}/invitations`,
      "/api/notifications",
      "/api/issues",
      `${url}/members`,
      `${url}/lanes`,
      `${url}/labels`,
      `${url}/sprints`,
      `${url}/epics`,
      issues,
      `${issues}?query=caf%C3%A9`,
      `${issues}/${first.id}`,
      `${issues}/${second.id}`,
      comments,
      `${reports}?view=promoted`,
      reports,
      `${reports}/${sent.body.id}`,
      attachments,
      `${attachments}/${one.id}/download`,
      groups,
      ...list.map((group) => `${groups}/${group.id}`),
    ],
  };
}

async function openBusy(
  t: TestApp,
  make: (url: string, body?: unknown) => Promise<{ id: number; token: string }>,
) {
  const project = await make("/api/projects", { key: "BUSY", name: "Busy" });
  const url = `/api/projects/${project.id}`;
  const { token } = await make(`${url}/tokens`, { name: "app", access: "read_write" });
  return { sender: t.http.as(token), events: `${url}/error-events`, groups: `${url}/error-groups` };
}

/** The status and body of each URL. */
export async function collectAnswers(reader: Client, reads: string[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const read of reads) {
    const { status, text } = await reader.get(read);
    assert.ok(status === 200, `${read}: ${status} ${text}`);
    answers[read] = text;
  }
  return answers;
}
