import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
let count = 0;

/** Creates a project, so that tests do not receive changes of each other's issues. */
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

/** Records the API paths that a page requests from now on. */
function asked(page: TestPage): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) paths.push(`${request.method()} ${pathname}${search}`);
  });
  return paths;
}

/** Removes the console errors that the browser logs for an unreachable server. */
const forgive = (page: TestPage) => page.complaints.splice(0);

const isIssueList = ({ pathname, searchParams }: URL) =>
  pathname.endsWith("/issues") && !searchParams.has("ids");

/** The URL of a stream with another position. */
function afterOf(url: string, position: string): string {
  const changed = new URL(url);
  changed.searchParams.set("after", position);
  return String(changed);
}

/** Opens a page and waits for its stream of live updates. */
async function openListening(path: string): Promise<TestPage> {
  // A page of the app would have a stream of its own.
  const page = await site.open("/assets/none.txt");
  const open = page.waitForResponse((answer) => answer.url().includes("/api/events?") && answer.ok());
  await page.goto(path);
  await open;
  return page;
}

test("an unreachable server shows a notice, and missed changes appear after reconnecting", async () => {
  const project = await ownProject();
  const issue = await project.make("Before");
  // The code that notices a lost connection is there when the stream is.
  const page = await openListening(`/projects/${project.key}/issues`);
  await link(page, "Before").waitFor();
  const { server } = site.t.app;
  const closed = new Promise((resolve) => void server.close(resolve));
  server.closeAllConnections();
  await closed;
  await lost(page).waitFor();
  await project.rename(issue, "After");
  await new Promise<void>(
    (resolve) => void server.listen(Number(new URL(site.url).port), "127.0.0.1", resolve),
  );
  await link(page, "After").waitFor();
  await lost(page).waitFor({ state: "hidden" });
  forgive(page);
  await page.leave();
});

test("a rejected live connection is retried, and missed changes are loaded", async () => {
  const project = await ownProject();
  const issue = await project.make("Before");
  const page = await site.open("/assets/none.txt");
  let refusals = 2;
  const { promise: missed, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("/api/events?*", async (route) => {
    if (refusals-- > 0) return route.fulfill({ status: 429, body: "{}" });
    await missed;
    await route.continue();
  });
  await page.goto(`/projects/${project.key}/issues`);
  await link(page, "Before").waitFor();
  await project.rename(issue, "Missed");
  goOn();
  await link(page, "Missed").waitFor();
  await project.rename(issue, "Renamed");
  await link(page, "Renamed").waitFor();
  await page.leave();
});

test("a changed issue is reloaded alone; new and deleted issues appear and disappear", async () => {
  const project = await ownProject();
  const issue = await project.make("One");
  const other = await project.make("Two");
  const page = await openListening(`/projects/${project.key}/issues`);
  await link(page, "Two").waitFor();
  const paths = asked(page);
  const lists = () => paths.filter((path) => path.includes("/issues?") && !path.includes("ids="));
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
  // The page may still be reading the two new issues, and then reads the changed one together with them.
  const isRead = (path: string) =>
    new URLSearchParams(path.split("?")[1]).get("ids")?.split(",").includes(String(issue.id));
  assert.ok(paths.some(isRead), paths.join("\n"));
  await page.leave();
});

test("a row that somebody else has changed is tinted for a moment, also the current one", async () => {
  const project = await ownProject();
  const [other, current] = [await project.make("Other"), await project.make("Current")];
  const page = await site.open(`/projects/${project.key}/issues`);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await link(page, "Current").waitFor();
  await link(page, "Current").focus();
  // Animations stop at their first frame.
  await page.evaluate(() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      const animation = animate.call(this, frames, options);
      if (typeof options === "object" && options.id === "changed") animation.pause();
      return animation;
    };
  });
  const isTinted = (title: string) =>
    link(page, title).evaluate((shown) => {
      const sample = document.body.appendChild(document.createElement("i"));
      sample.style.color = "var(--accent-tint)";
      const { color } = getComputedStyle(sample);
      sample.remove();
      let ground: Element | null = shown;
      const colorOf = (element: Element) => getComputedStyle(element).backgroundColor;
      while (ground && colorOf(ground) === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
      return ground !== null && colorOf(ground) === color;
    });
  await eventually(() => isTinted("Current"), false);
  await project.rename(current, "Current one");
  await eventually(() => isTinted("Current one"), true);
  await project.rename(other, "Other one");
  await eventually(() => isTinted("Other one"), true);
  await page.leave();
});

test("a list that fails to reload keeps its previous content", async () => {
  const project = await ownProject();
  for (const path of ["issues", "board"]) {
    const issue = await project.make(`Seen on ${path}`);
    const page = await openListening(`/projects/${project.key}/${path}`);
    await link(page, `Seen on ${path}`).waitFor();
    await page.route(isIssueList, (route) => route.fulfill({ status: 404, json: { message: "Gone." } }));
    const failed = page.waitForResponse((answer) => answer.url().includes("/issues?") && !answer.ok());
    // A page loads everything again when it comes back from the back/forward cache after more than five minutes.
    await page.route("/api/events?*", (route) =>
      route.continue({ url: afterOf(route.request().url(), "1.1:1:") }),
    );
    await page.evaluate(() => ["pagehide", "pageshow"].map((type) => dispatchEvent(new Event(type))));
    await (await failed).finished();
    await project.rename(issue, `Still on ${path}`);
    await link(page, `Still on ${path}`).waitFor();
    await page.leave();
  }
});

test("a session that expires leads to the sign-in page, and drafts are kept", async () => {
  const person = await site.member("Member");
  const page = await site.open("/my-issues", { as: person });
  // Without an answer to the live connection, only the rejected request tells the page.
  await page.route("/api/events?*", () => {});
  await page.goto("/projects/WEB/issues");
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Title" }).fill("Half written");
  // Through the API, because the server caches sessions for a second.
  const [{ name, value } = { name: "", value: "" }] = await page.context().cookies();
  assert.equal((await site.t.http.withCookie(`${name}=${value}`).delete("/api/session")).status, 204);
  await page.getByRole("button", { name: /^Create issue/ }).click();
  await page.waitForURL(/\/sign-in\?return_to=%2Fprojects%2FWEB%2Fissues&ended=1$/);
  await page.getByText("Your session has ended. Sign in again to continue.").waitFor();
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  await eventually(async () => /Half written/.test(await kept()), true);
  await page.leave();
});

test("a session ended elsewhere leads to the sign-in page without user action", async () => {
  const person = await site.member("Member");
  const page = await site.open("/my-issues", { as: person });
  await page.getByRole("heading", { name: "My issues" }).waitFor();
  await site.t.db.deleteFrom("sessions").where("user_id", "=", person.id).execute();
  await page.waitForURL(/\/sign-in\?return_to=%2Fmy-issues&ended=1$/);
  await page.leave();
});

test("a project that the user was just added to opens without a reload", async () => {
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
  // A link such as those in inbox entries.
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
