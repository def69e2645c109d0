import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { makeApp, requestOf } from "../support/apps.ts";
import { anEvent, TRACES } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeCheckIns } from "../support/make-check-ins.ts";
import { makeProjectToken } from "../support/make.ts";
import { makeSessions } from "../support/make-sessions.ts";
import { checkFrame } from "./check-frame.ts";
import { trackLoading } from "./loading.ts";
import { useTestSite } from "./test-site.ts";

/** Checks every screen with content: wide in the light theme, narrow in the dark one. */

const site = await useTestSite();

type Screen = { page: string; path: string; signedOut?: boolean; open?: (page: Page) => Promise<void> };

const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Starts a report that resembles others. */
async function writeSimilarReport(page: Page): Promise<void> {
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "New report" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Where is my order?");
  await dialog.getByRole("list", { name: "Similar" }).waitFor();
}

/** An event with all that a client can send. */
const aFullEvent = () =>
  anEvent({
    message: "The card was declined",
    release: "4.13.0",
    host: "web-1",
    user_hash: "5f".repeat(32),
    stack_trace: TRACES.search,
    previous_exceptions: [
      { exception_class: "PaymentError", message: "insufficient_funds", stack_trace: TRACES.checkout },
    ],
    tags: { browser: "Firefox 145", os: "Linux" },
    breadcrumbs: [
      { timestamp: "2026-11-20T09:00:00Z", category: "ui.click", message: "button.pay", level: "info" },
      { timestamp: "2026-11-20T09:00:01Z", category: "http", message: "POST /pay", data: { status: 402 } },
    ],
    request: { method: "POST", path: "/pay", headers: { "User-Agent": "Mozilla/5.0" } },
    contexts: { os: { name: "Linux" } },
    extra: { total: 4990, customer_email: "ada@example.com" },
    frames: [
      { function: "run", filename: "src/search.php", line: 7, in_app: true, context_line: "$this->pay();" },
      { function: "main", filename: "vendor/run.php", line: 12, in_app: false },
    ],
  });

async function fill(): Promise<Screen[]> {
  const { api, project, workspaceId, t, owner } = site;
  const in_ = (rest: string) => `/api/projects/${project.id}/${rest}`;
  const made = async (url: string, body: object) => {
    const answer = await api.post(url, body);
    assert.ok(answer.status < 300, `${url}: ${answer.text}`);
    return answer.body as { id: number; key: string; link: string };
  };
  const bob = await site.member("Member", { username: "bob", email: "bob@example.com" });
  const epic = await made(in_("epics"), { title: "Faster checkout", description: "All of it." });
  const sprint = await made(in_("sprints"), {
    name: "Sprint 1",
    state: "active",
    starts_on: "2026-11-16",
    ends_on: "2026-11-27",
  });
  const label = await made(in_("labels"), { name: "bug", color: "#b3261e" });
  const issue = await made(in_("issues"), {
    title: "Cart is empty after a reload",
    description: "It **was** full.",
    epic_id: epic.id,
    sprint_id: sprint.id,
    label_ids: [label.id],
    assignee_id: owner.id,
  });
  const byBob = await site.clientOf(bob);
  await byBob.post(in_(`issues/${issue.id}/comments`), { content: "@ada can you look?" });
  const report = await made(in_("reports"), {
    title: "Where is my order?",
    description: "I cannot find it.",
  });
  const original = await made(in_("reports"), { title: "Where is my order now?", description: "Lost." });
  const duplicate = await made(in_("reports"), { title: "My order is lost", description: "Help." });
  await made(in_(`reports/${duplicate.id}/dismiss`), {
    category: "duplicate",
    duplicate_of: { report_id: original.id },
  });
  const token = await makeProjectToken(t.db, project.id, owner.id);
  await t.http.as(token).post(in_("error-events"), anEvent());
  await t.http.as(token).post(in_("error-events"), aFullEvent());
  const groups = await api.get(in_("error-groups?release=4.13.0"));
  const errorId = (groups.body.data as { id: number }[])[0]?.id;
  await made(in_("releases"), {
    version: "4.13.0",
    environment: "production",
    commit: "9f2c1e7",
    url: "https://ci.example.com/runs/12",
  });
  await makeSessions(t.db, project.id, { version: "4.13.0", sessions: 4_120, crashed: 33 });
  const schedule = { type: "crontab", value: "0 2 * * *" };
  await made(in_("monitors"), { name: "Nightly backup", schedule });
  await makeCheckIns(t.db, { projectId: project.id, slug: "nightly-backup" }, [
    { status: "ok", startedAt: new Date(), duration: 42.5 },
    { status: "error", startedAt: new Date(), text: "disk full" },
  ]);
  await made(in_("privacy-rules"), { name: "Customer number", key_pattern: "^customer", active: false });
  await made(in_("inbound-rules"), { kind: "message", pattern: "^ResizeObserver loop" });
  await made(in_("inbound-rules"), { kind: "old_browsers" });
  const webhook = await made(in_("webhooks"), { url: "https://hooks.example.com/a", events: ["issue.*"] });
  await made(in_(`webhooks/${webhook.id}/test`), {});
  const invitation = await made(`/api/workspaces/${workspaceId}/invitations`, { email: "new@example.com" });
  await made(`/api/workspaces/${workspaceId}/teams`, { name: "Shop" });

  const app = requestOf(await makeApp(t.db)) as Record<string, string>;
  const authorization = new URLSearchParams(app).toString();

  const web = "/projects/WEB";
  const workspace = (section: string) => `/workspaces/${workspaceId}/settings?section=${section}`;
  return [
    { page: "session/sign-in-page", path: "/sign-in", signedOut: true },
    { page: "session/forgot-page", path: "/password/forgot", signedOut: true },
    { page: "session/reset-page", path: "/password/reset?token=x", signedOut: true },
    { page: "session/confirm-address-page", path: "/confirm-address?token=x", signedOut: true },
    { page: "session/confirm-address-page", path: "/confirm-address?token=x" },
    { page: "session/invitation-page", path: new URL(invitation.link).pathname, signedOut: true },
    { page: "session/invitation-page", path: new URL(invitation.link).pathname },
    { page: "setup/setup-page", path: "/setup?step=project" },
    { page: "oauth/authorize-page", path: `/oauth/authorize?${authorization}` },
    { page: "oauth/authorize-page", path: `/oauth/authorize?${authorization}&resource=elsewhere` },
    { page: "oauth/authorize-page", path: "/oauth/authorize" },
    { page: "reference/reference-page", path: "/reference" },
    { page: "reference/reference-page", path: "/reference?operation=createIssue" },
    { page: "home/home-page", path: "/" },
    { page: "home/home-page", path: "/", open: button("New project") },
    { page: "projects/project-home-page", path: web },
    ...[
      "general",
      "members",
      "lanes",
      "labels",
      "tokens",
      "feedback",
      "alerts",
      "integrations",
      "import",
      "ingestion",
      "inbound",
      "privacy",
      "usage",
      "danger",
    ].map((section) => ({
      page: "projects/settings/project-settings-page",
      path: `${web}/settings?section=${section}`,
    })),
    ...[
      "general",
      "features",
      "people",
      "invitations",
      "teams",
      "roles",
      "integrations",
      "mail",
      "audit",
    ].map((section) => ({
      page: "workspaces/workspace-settings-page",
      path: workspace(section),
    })),
    ...["signalbox", "telegram", "gitlab"].map((service) => ({
      page: "integrations/connect/connect-page",
      path: `${web}/settings/connect/${service}`,
    })),
    {
      page: "integrations/connect/connect-page",
      path: `/workspaces/${workspaceId}/settings/connect/slack`,
    },
    { page: "integrations/webhooks/webhook-page", path: `${web}/settings/webhooks/${webhook.id}` },
    {
      page: "projects/settings/project-settings-page",
      path: `${web}/settings?section=alerts`,
      open: button("Add rule"),
    },
    ...["profile", "display", "security", "sessions", "tokens"].map((section) => ({
      page: "profile/profile-page",
      path: `/settings/profile?section=${section}`,
    })),
    { page: "inbox/preferences-page", path: "/settings/notifications" },
    { page: "inbox/inbox-page", path: "/notifications" },
    { page: "issues/my-issues-page", path: "/my-issues" },
    { page: "issues/issues-page", path: `${web}/issues` },
    { page: "issues/issues-page", path: `${web}/issues?query=nothing-is-called-that` },
    { page: "issues/issues-page", path: `${web}/issues`, open: button("New issue") },
    { page: "issues/issue-page/issue-page", path: `${web}/issues/${issue.key}` },
    { page: "issues/issue-page/issue-page", path: `${web}/issues/${issue.key}?tab=history` },
    { page: "board/board-page", path: `${web}/board` },
    { page: "epics/epics-page", path: `${web}/epics` },
    { page: "epics/epics-page", path: `${web}/epics`, open: button("New epic") },
    { page: "epics/epic-page", path: `${web}/epics/${epic.id}` },
    { page: "sprints/sprints-page", path: `${web}/sprints` },
    { page: "sprints/sprints-page", path: `${web}/sprints`, open: button("New sprint") },
    { page: "sprints/sprint-page", path: `${web}/sprints/${sprint.id}` },
    { page: "sprints/plan-page", path: `${web}/sprints/${sprint.id}/plan` },
    { page: "reports/triage-page", path: `${web}/triage?report=${report.id}` },
    { page: "reports/triage-page", path: `${web}/triage?view=dismissed` },
    { page: "reports/triage-page", path: `${web}/triage?report=${report.id}`, open: button("All fields") },
    { page: "reports/triage-page", path: `${web}/triage?report=${report.id}`, open: button(/^Dismiss/) },
    { page: "reports/triage-page", path: `${web}/triage?report=${report.id}`, open: button(/similar item/) },
    { page: "reports/triage-page", path: `${web}/triage`, open: writeSimilarReport },
    { page: "reports/report-page", path: `${web}/reports/${report.id}` },
    { page: "reports/report-page", path: `${web}/reports/${original.id}` },
    { page: "errors/list/errors-page", path: `${web}/errors` },
    { page: "errors/list/errors-page", path: `${web}/errors?tab=ignored` },
    { page: "errors/list/all-errors-page", path: "/errors" },
    ...["comments", "history", "grouping"].map((show) => ({
      page: "errors/group/error-group-page",
      path: `${web}/errors/${errorId}?show=${show}`,
    })),
    { page: "releases/releases-page", path: `${web}/releases` },
    { page: "releases/releases-page", path: `${web}/releases`, open: button("Record deploys") },
    { page: "releases/release-page", path: `${web}/releases/4.13.0` },
    { page: "monitors/monitors-page", path: `${web}/monitors` },
    { page: "monitors/monitors-page", path: `${web}/monitors`, open: button("New monitor") },
    { page: "monitors/monitor-page", path: `${web}/monitors/nightly-backup` },
    { page: "search/search-page", path: "/search?query=cart" },
    { page: "home/shortcut-page", path: "/shortcuts/unknown" },
    { page: "reports/share-page", path: "/share?lost=1" },
    { page: "search/search-page", path: "/search", open: (page) => page.keyboard.press("Control+k") },
  ];
}

const screens = await fill();

test("every route of the app is among the checked screens", () => {
  const web = path.join(import.meta.dirname, "../../src/web");
  const pages = readdirSync(web, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("-page.tsx"))
    .map((name) => name.replaceAll(path.sep, "/").replace(".tsx", ""));
  const checked = new Set(screens.map(({ page }) => page));
  assert.deepEqual(
    pages.filter((page) => !checked.has(page)),
    [],
  );
});

/** Pages outside the app's frame, which visitors see as well. */
const WITHOUT_FRAME = new Set([
  "oauth/authorize-page",
  "setup/setup-page",
  "session/invitation-page",
  "session/confirm-address-page",
]);

/** The second rows of headers that are higher than one line. */
const higherRows = () =>
  [...document.querySelectorAll("[data-header-row] + [data-header-row]")]
    .map(({ clientHeight }) => clientHeight)
    .filter((height) => height !== 40);

/** Visiting all screens takes long on a busy machine. */
const WHOLE = 20 * 60_000;

for (const look of [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 320 },
] as const)
  test(
    `no screen has an accessibility violation or scrolls sideways, ${look.theme} and ${look.width} px wide`,
    { timeout: WHOLE },
    async (t) => {
      const signedIn = await site.open("/", look);
      const signedOut = await site.open("/sign-in", { ...look, as: null });
      const loadingOf = new Map([signedIn, signedOut].map((page) => [page, trackLoading(page)]));
      for (const screen of screens)
        await t.test(`${screen.path} ${screen.open ? "with its dialog" : ""}`, async () => {
          const page = screen.signedOut ? signedOut : signedIn;
          await visit(page, screen.path);
          await page.getByRole("heading", { level: 1 }).first().waitFor();
          await loadingOf.get(page)?.done();
          const hasFrame = !screen.signedOut && !WITHOUT_FRAME.has(screen.page);
          if (hasFrame) await checkFrame(page);
          await eventually(() => page.evaluate(higherRows), []);
          if (screen.open) {
            await screen.open(page);
            await page.getByRole("dialog").first().waitFor();
          }
          await page.checkAccessibility();
          const over = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.ok(over <= 0, `${over} px too wide`);
          await eventually(() => page.evaluate(brokenWords), []);
          await eventually(() => page.evaluate(repeatedNames), []);
          if (screen.open) {
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
          }
          // Last, because the header changes for a moment when the window does.
          if (hasFrame) {
            const width = look.width > 1000 ? 1024 : 390;
            await page.setViewportSize({ width, height: 800 });
            await eventually(() => page.evaluate(() => document.documentElement.clientWidth), width);
            await checkFrame(page);
            await page.setViewportSize({ width: look.width, height: 800 });
          }
          assert.deepEqual(page.complaints.splice(0), []);
        });
      await signedIn.leave();
      await signedOut.leave();
    },
  );

/** Goes to a URL without loading the app and axe again, which would take longer than the checks. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => window.__TSR_ROUTER__?.history.push(path), path);
  // The resolved location is set when the page has been rendered.
  await page.waitForFunction(() => {
    const router = window.__TSR_ROUTER__;
    return router !== undefined && router.state.resolvedLocation?.href === router.history.location.href;
  });
}

/** Names that screen readers read twice, because the title becomes the description. */
const repeatedNames = () =>
  [...document.querySelectorAll("[aria-label][title]")]
    .filter((element) => element.getAttribute("title") === element.getAttribute("aria-label"))
    .map((element) => element.outerHTML);

/** The texts of headings that wrap onto several lines for lack of space. */
function brokenWords(): string[] {
  const broken: string[] = [];
  for (const heading of document.querySelectorAll("h1")) {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { 0: word, index } of (texts.currentNode.textContent ?? "").matchAll(/\S{2,16}/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
    }
  }
  return broken;
}
