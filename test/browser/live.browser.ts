import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
let count = 0;

/** A project of its own, so that no test hears of another's issues. */
async function ownProject() {
  const key = `LV${++count}`;
  const { id } = await created<{ id: number }>("/api/projects", { key, name: `Live ${count}` });
  const url = `/api/projects/${id}`;
  return {
    id,
    key,
    make: (title: string, fields = {}) => created<Issue>(`${url}/issues`, { title, ...fields }),
    rename: (issue: Issue, title: string) => site.api.patch(`${url}/issues/${issue.id}`, { title }),
    remove: (issue: Issue) => site.api.delete(`${url}/issues/${issue.id}`),
  };
}

async function created<T>(path: string, body: unknown): Promise<T> {
  const answer = await site.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as T;
}

const link = (page: TestPage, name: string) => page.getByRole("link", { name, exact: true });
const lost = (page: TestPage) => page.getByText("No connection to the server.");

/** The paths of the API that a page asks for, from now on. */
function asked(page: TestPage): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) paths.push(`${request.method()} ${pathname}${search}`);
  });
  return paths;
}

/** A server that is away is an error of the browser's console, as it should be. */
const forgive = (page: TestPage) => page.complaints.splice(0);

const listening = (page: TestPage) =>
  page.waitForResponse((answer) => answer.url().endsWith("/api/events") && answer.ok());

test("a server that is away is told of, and what happened meanwhile is shown when it is back", async () => {
  const project = await ownProject();
  const issue = await project.make("Before");
  const page = await site.open(`/projects/${project.key}/issues`);
  await link(page, "Before").waitFor();
  const { server } = site.t.app;
  const closed = new Promise((resolve) => void server.close(resolve));
  server.closeAllConnections();
  await closed;
  await lost(page).waitFor({ timeout: 15_000 });
  await project.rename(issue, "After");
  await new Promise<void>(
    (resolve) => void server.listen(Number(new URL(site.url).port), "127.0.0.1", resolve),
  );
  await link(page, "After").waitFor({ timeout: 15_000 });
  await lost(page).waitFor({ state: "hidden" });
  forgive(page);
  await page.leave();
});

test("live updates that were refused are asked for again, and what was missed is read", async () => {
  const project = await ownProject();
  const issue = await project.make("Before");
  const page = await site.open("/my-issues");
  let refusals = 2;
  await page.route("/api/events", (route) =>
    refusals-- > 0 ? route.fulfill({ status: 429, body: "{}" }) : route.continue(),
  );
  await page.goto(`/projects/${project.key}/issues`);
  await link(page, "Before").waitFor();
  const open = listening(page);
  await project.rename(issue, "Missed");
  await open;
  await link(page, "Missed").waitFor();
  await project.rename(issue, "Told");
  await link(page, "Told").waitFor();
  await page.leave();
});

test("of an issue that changed only that issue is read; one that is new or gone comes and goes", async () => {
  const project = await ownProject();
  const issue = await project.make("One");
  const other = await project.make("Two");
  const page = await site.open("/my-issues");
  const open = listening(page);
  await page.goto(`/projects/${project.key}/issues`);
  await open;
  await link(page, "Two").waitFor();
  const paths = asked(page);
  const lists = () => paths.filter((path) => path.includes("/issues?"));
  await project.rename(issue, "One, changed");
  await link(page, "One, changed").waitFor();
  await project.make("Three");
  await link(page, "Three").waitFor();
  await eventually(
    () => page.getByRole("list", { name: "Issues" }).getByRole("link").allTextContents(),
    ["Three", "Two", "One, changed"],
  );
  await project.remove(other);
  await link(page, "Two").waitFor({ state: "hidden" });
  assert.deepEqual(lists(), []);
  assert.equal(paths.filter((path) => path.endsWith(`/issues/${issue.id}`)).length, 1);
  await page.leave();
});

test("a list that could not be read anew stays as it was read before", async () => {
  const project = await ownProject();
  for (const path of ["issues", "board"]) {
    const issue = await project.make(`Seen on ${path}`);
    const page = await site.open("/my-issues");
    const open = listening(page);
    await page.goto(`/projects/${project.key}/${path}`);
    await open;
    await link(page, `Seen on ${path}`).waitFor();
    await page.route("**/issues?*", (route) => route.fulfill({ status: 404, json: { message: "Gone." } }));
    const failed = page.waitForResponse((answer) => answer.url().includes("/issues?") && !answer.ok());
    // So many at once that the list is read as a whole.
    await Promise.all([1, 2, 3, 4].map((n) => project.make(`More ${n}`)));
    await (await failed).finished();
    await project.rename(issue, `Still on ${path}`);
    await link(page, `Still on ${path}`).waitFor();
    await page.leave();
  }
});

test("a session that ends while its page is open leads to signing in, and a draft survives it", async () => {
  const person = await site.member("Member");
  const page = await site.open("/projects/WEB/issues", { as: person });
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Title" }).fill("Half written");
  await site.t.db.deleteFrom("sessions").where("user_id", "=", person.id).execute();
  await page.getByRole("button", { name: /^Create issue/ }).click();
  await page.waitForURL(/\/sign-in\?return_to=%2Fprojects%2FWEB%2Fissues$/);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  await eventually(async () => /Half written/.test(await kept()), true);
  await page.leave();
});

test("a session that was ended elsewhere leads to signing in even when nothing is clicked", async () => {
  const person = await site.member("Member");
  const page = await site.open("/my-issues", { as: person });
  await page.getByRole("heading", { name: "My issues" }).waitFor();
  await site.t.db.deleteFrom("sessions").where("user_id", "=", person.id).execute();
  await page.waitForURL(/\/sign-in\?return_to=%2Fmy-issues$/, { timeout: 15_000 });
  await page.leave();
});

test("a project that one was just given is opened without reading the page anew", async () => {
  const person = await site.member("Member");
  const project = await ownProject();
  const page = await site.open("/projects/WEB/board", { as: person });
  await page.getByRole("heading", { name: "Board" }).waitFor();
  const { body: roles } = await site.api.get(`/api/workspaces/${site.workspaceId}/roles`);
  const answer = await site.api.post(`/api/projects/${project.id}/members`, {
    user_id: person.id,
    role_id: roles.data[0].id,
  });
  assert.equal(answer.status, 201, answer.text);
  // A link as an entry of the inbox has it.
  await page.evaluate((key) => {
    history.pushState({}, "", `/projects/${key}/settings`);
    dispatchEvent(new PopStateEvent("popstate"));
  }, project.key);
  await page
    .getByRole("heading", { name: /settings/i })
    .first()
    .waitFor();
  await page.leave();
});
