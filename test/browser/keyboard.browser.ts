import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Report } from "../../src/shared/reports.ts";
import { anEvent } from "../support/error-events.ts";
import { png } from "../support/images.ts";
import { makeProjectToken } from "../support/make.ts";
import { eventually, focusOn, openStage, pressUntil, type Stage, tabTo, type TestPage } from "./support.ts";

/*
 * Journeys with the keyboard alone: nothing is clicked, filled or focused by the test. Those that are driven so beside
 * their area: set-up, sign-in, lists of issues, single errors, the inbox, search.
 */

let stage: Stage;
before(async () => {
  stage = await openStage({ LIMIT_API: "100000" });
});
after(() => stage.close());

const own = (path: string) => `/api/projects/${stage.project.id}${path}`;

async function created<T>(path: string, body: Record<string, unknown>): Promise<T> {
  const answer = await stage.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as T;
}

/** A project of its own, with reports. */
async function openQueue(key: string, ...titles: string[]) {
  const { id } = await created<{ id: number }>("/api/projects", { key, name: `Project ${key}` });
  const path = `/api/projects/${id}/reports`;
  for (const title of titles) await created(path, { title, description: `What is seen: ${title}.` });
  const page = await stage.open(`/projects/${key}/triage`);
  const reports = async () => (await stage.api.get(path)).body as Report[];
  return { id, page, reports, order: async () => (await reports()).map(({ title }) => title) };
}

const focused = (page: TestPage) => page.evaluate(() => document.activeElement?.textContent);

/** What the browser does at Ctrl V with a picture in the clipboard, where the focus is. */
async function pastePicture(page: TestPage, name: string) {
  const bytes = [...(await png(60, 40))];
  await page.evaluate(
    ({ bytes, name }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type: "image/png" }));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    { bytes, name },
  );
}

/** A verb of the palette. */
async function runVerb(page: TestPage, words: string, option: string | RegExp) {
  await page.keyboard.press("Control+k");
  await focusOn(page, "combobox", "Find or do");
  await page.keyboard.type(words);
  await page.getByRole("option", { name: option, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

/** An entry of the menu of the button that has the focus. */
async function chooseInMenu(page: TestPage, name: string) {
  await page.keyboard.press("Enter");
  await pressUntil(page, "ArrowDown", "menuitem", name);
  await page.keyboard.press("Enter");
}

test("a report is written with a picture that is pasted into it", async () => {
  const { page, reports } = await openQueue("KEYR", "Cart empties");
  await page.getByRole("link", { name: "Cart empties" }).waitFor();
  await page.keyboard.press("Shift+R");
  await focusOn(page, "textbox", "Title");
  await page.keyboard.type("Prices without tax");
  await tabTo(page, "textbox", "Description");
  await page.keyboard.type("The basket shows **net** prices.");
  await pastePicture(page, "basket.png");
  await page.getByRole("list", { name: "Images" }).getByText("basket.png").waitFor();
  await tabTo(page, "button", "Create report");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Prices without tax" }).waitFor();
  const [, made] = await reports();
  assert.deepEqual(
    [made?.title, made?.description, made?.attachments_count],
    ["Prices without tax", "The basket shows **net** prices.", 1],
  );
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Prices without tax");
  await page.keyboard.press("Enter");
  await tabTo(page, "button", "Look at basket.webp");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "basket.webp" }).waitFor();
  await page.keyboard.press("Escape");
  await focusOn(page, "button", "Look at basket.webp");
  await page.leave();
});

test("reports are moved up and down, and the focus stays with the one that is moved", async () => {
  const { page, order } = await openQueue("KEYO", "One", "Two", "Three");
  await page.getByRole("link", { name: "Three" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await eventually(() => focused(page), "Two");
  await page.keyboard.press("Alt+ArrowDown");
  await eventually(order, ["One", "Three", "Two"]);
  await eventually(() => focused(page), "Two");
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(order, ["Two", "One", "Three"]);
  await eventually(() => focused(page), "Two");
  await page.leave();
});

test("two reports become one issue, which is opened from the message about it", async () => {
  const { id, page, reports } = await openQueue("KEYP", "Login loops", "Login hangs", "Other");
  await page.getByRole("link", { name: "Other" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByRole("toolbar").getByText("2 reports selected").waitFor();
  await page.keyboard.press("e");
  await focusOn(page, "textbox", "Title");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Login does not end");
  await tabTo(page, "button", /^Type/);
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Bug" }).waitFor();
  await page.keyboard.type("bug");
  await page.keyboard.press("Enter");
  await focusOn(page, "button", /^Type.*Bug/);
  await tabTo(page, "button", "Create issue");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText("2 reports promoted to KEYP-1").waitFor();
  await eventually(() => focused(page), "Other");
  const [first, second] = await reports();
  assert.ok(first?.promoted_issue_id);
  assert.equal(second?.promoted_issue_id, first.promoted_issue_id);
  const { body: issue } = await stage.api.get(`/api/projects/${id}/issues/${first.promoted_issue_id}`);
  assert.deepEqual([issue.title, issue.type], ["Login does not end", 1]);
  await page.keyboard.press("F6");
  await tabTo(page, "button", "Open KEYP-1");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/KEYP/issues/KEYP-1");
  await page.leave();
});

test("a report is dismissed, F6 and Enter take that back, and the keys go on where they were", async () => {
  const { page, reports } = await openQueue("KEYD", "Spam", "Real");
  const spam = page.getByRole("link", { name: "Spam" });
  await spam.waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss the report" }).waitFor();
  await focusOn(page, "radio", /./);
  await page.keyboard.press("4");
  await eventually(() => focused(page), "Real");
  await spam.waitFor({ state: "detached" });
  await page.keyboard.press("F6");
  await focusOn(page, "button", "Undo");
  await page.keyboard.press("Enter");
  await spam.waitFor();
  await eventually(() => focused(page), "Real");
  await eventually(async () => (await reports())[0]?.dismissed_at, null);
  await page.keyboard.press("k");
  await eventually(() => focused(page), "Spam");
  await page.keyboard.press("h");
  await focusOn(page, "radio", /./);
  await tabTo(page, "textbox", /Note/);
  await page.keyboard.type("Nothing in it");
  await pressUntil(page, "Shift+Tab", "radio", /./);
  await page.keyboard.press("1");
  await eventually(() => focused(page), "Real");
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await page.waitForURL("**/projects/KEYD/board");
  // What could be undone is done when its page is left.
  await eventually(async () => {
    const [report] = await reports();
    return [report?.dismissed_at !== null, report?.dismiss_reason_note];
  }, [true, "Nothing in it"]);
  await page.leave();
});

test("a card is reached by Tab and carried to another lane", async () => {
  const { id } = await created<{ id: number }>("/api/projects", { key: "KEYB", name: "Board by keys" });
  const issue = await created<{ id: number }>(`/api/projects/${id}/issues`, { title: "Carry me" });
  const page = await stage.open("/projects/KEYB/board");
  await tabTo(page, "link", "Carry me");
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  const card = page
    .getByRole("region", { name: "To do", exact: true })
    .getByRole("link", { name: "Carry me" });
  await card.waitFor();
  await page.keyboard.press(" ");
  const { body: lanes } = await stage.api.get(`/api/projects/${id}/lanes`);
  const lane = lanes.data.find(({ name }: { name: string }) => name === "To do");
  await eventually(
    async () => (await stage.api.get(`/api/projects/${id}/issues/${issue.id}`)).body.lane_id,
    lane.id,
  );
  await focusOn(page, "link", "Carry me");
  await page.leave();
});

test("an issue gets another title, a description and properties", async () => {
  const issue = await created<{ id: number; key: string }>(own("/issues"), { title: "Tytle" });
  const page = await stage.open(`/projects/WEB/issues/${issue.key}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await runVerb(page, "edit the title", `Edit the title of ${issue.key}`);
  await focusOn(page, "textbox", "Title");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Title");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: `${issue.key} Title` }).waitFor();
  await focusOn(page, "button", "Edit title");
  await tabTo(page, "button", "Edit description");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "Description");
  await page.keyboard.type("Steps: **none**");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Steps: none").waitFor();
  await focusOn(page, "button", "Edit description");
  for (const [property, words, shown] of [
    ["Lane", "progress", "Lane: In progress"],
    ["Type", "bug", "Type: Bug"],
  ] as const) {
    await tabTo(page, "button", new RegExp(`^${property}:`));
    await page.keyboard.press("Enter");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.type(words);
    await page
      .getByRole("option", { name: new RegExp(words, "i"), selected: false })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await focusOn(page, "button", shown);
  }
  await tabTo(page, "button", /^Estimate:/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("1h 30m");
  await page.keyboard.press("Enter");
  await eventually(async () => {
    const { body } = await stage.api.get(own(`/issues/${issue.id}`));
    return [body.title, body.description, body.type, body.estimated_minutes];
  }, ["Title", "Steps: **none**", 1, 90]);
  await page.leave();
});

test("a comment mentions somebody, is liked, pinned and answered", async () => {
  await stage.member("Member", { username: "carlos", email: "carlos@example.com" });
  const issue = await created<{ id: number; key: string }>(own("/issues"), { title: "Discussed" });
  const page = await stage.open(`/projects/WEB/issues/${issue.key}`);
  await tabTo(page, "textbox", "Write a comment");
  await page.keyboard.type("Ask @carl");
  await page.getByRole("option", { name: /@carlos/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("today");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("article").getByText("today").waitFor();
  await pressUntil(page, "Shift+Tab", "button", "Like");
  await page.keyboard.press("Enter");
  await focusOn(page, "button", "Like, 1. You like this");

  const pinned = page.getByRole("list", { name: "Pinned" });
  for (const [verb, state] of [
    ["Pin", "visible"],
    ["Unpin", "detached"],
    ["Pin", "visible"],
  ] as const) {
    await tabTo(page, "button", "More");
    await chooseInMenu(page, verb);
    await pinned.waitFor({ state });
    await focusOn(page, "article", "Comment by Ada Moss");
  }
  await tabTo(page, "button", "Reply");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "Reply");
  await page.keyboard.type("On it");
  await page.keyboard.press("Control+Enter");
  await focusOn(page, "article", "Comment by Ada Moss");
  await eventually(async () => {
    const [root, reply] = (await stage.api.get(own(`/issues/${issue.id}/comments`))).body.data;
    return [root.content, root.is_pinned, root.liker_ids, reply?.content, reply?.parent_id === root.id];
  }, ["Ask @carlos today", true, [stage.owner.id], "On it", true]);
  await page.leave();
});

test("errors are selected and resolved, then ignored and reopened together; one is promoted", async () => {
  const { id } = await created<{ id: number }>("/api/projects", { key: "KEYE", name: "Errors by keys" });
  const sender = stage.t.http.as(await makeProjectToken(stage.t.db, id, stage.owner.id));
  for (const name of ["Gamma", "Beta", "Alpha"]) {
    const sent = await sender.post(`/api/projects/${id}/error-events`, anEvent({ exception_class: name }));
    assert.equal(sent.status, 202, sent.text);
  }
  const page = await stage.open("/projects/KEYE/errors");
  const error = (name: string) => page.getByRole("link", { name, exact: true });
  const selectTwo = async () => {
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 errors selected").waitFor();
  };
  const goTo = async (tab: RegExp) => {
    await pressUntil(page, "Shift+Tab", "link", tab);
    await page.keyboard.press("Enter");
  };
  await error("Gamma").waitFor();
  await selectTwo();
  await page.keyboard.press("e");
  await page.getByText("2 resolved").waitFor();
  await eventually(() => focused(page), "Gamma");
  await page.keyboard.press("Shift+p");
  await page.getByText("Issue made of Gamma").waitFor();

  await goTo(/^Resolved/);
  await error("Alpha").waitFor();
  await selectTwo();
  await page.keyboard.press("h");
  await page.getByText("No resolved errors").waitFor();
  await goTo(/^Ignored/);
  await error("Alpha").waitFor();
  await selectTwo();
  await page.keyboard.press("u");
  await page.getByText("2 reopened").waitFor();
  const { body } = await stage.api.get(`/api/projects/${id}/error-groups`);
  assert.deepEqual(
    body.data
      .map((group: { exception_class: string; status: number; linked_issue_id: number | null }) => [
        group.exception_class,
        group.status,
        group.linked_issue_id !== null,
      ])
      .toSorted(),
    [
      ["Alpha", 0, false],
      ["Beta", 0, false],
      ["Gamma", 0, true],
    ],
  );
  await page.leave();
});

test("a person is invited to a project, from the menu of one's own name", async () => {
  const page = await stage.open("/projects/WEB");
  await tabTo(page, "button", /Ada Moss/);
  await chooseInMenu(page, "Workspace settings");
  await page.waitForURL(/\/workspaces\/\d+\/settings/);
  await tabTo(page, "link", "Invitations");
  await page.keyboard.press("Enter");
  await page.getByText("No open invitations.").waitFor();
  await tabTo(page, "button", "Invite");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "E-mail");
  await page.keyboard.type("grace@example.com");
  await tabTo(page, "button", "Add a project");
  await page.keyboard.press("Enter");
  await pressUntil(page, "Shift+Tab", "combobox", "Role in project 1");
  await page.keyboard.type("Viewer");
  await tabTo(page, "button", "Invite");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "grace@example.com is invited" }).waitFor();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await eventually(async () => (await stage.t.http.get(`/api${new URL(link).pathname}`)).status, 200);
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await focusOn(page, "button", "Invite");
  const { body } = await stage.api.get(`/api/workspaces/${stage.workspaceId}/invitations`);
  const { body: roles } = await stage.api.get(`/api/workspaces/${stage.workspaceId}/roles`);
  const viewer = roles.data.find(({ name }: { name: string }) => name === "Viewer");
  assert.deepEqual(
    body.data.map(({ email, projects }: { email: string; projects: unknown }) => ({ email, projects })),
    [{ email: "grace@example.com", projects: [{ project_id: stage.project.id, role_id: viewer.id }] }],
  );
  await page.leave();
});

/** Names a token in the dialog that is open; it is read before it is gone for good. */
async function makeToken(page: TestPage, name: string): Promise<string> {
  await focusOn(page, "textbox", "Name");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Copy the token now" }).waitFor();
  const token = await page.getByRole("textbox", { name: "Token" }).inputValue();
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await focusOn(page, "button", "New token");
  return token;
}

async function confirmRevocation(page: TestPage) {
  await focusOn(page, "button", "Cancel");
  await tabTo(page, "button", "Revoke token");
  await page.keyboard.press("Enter");
  await page.getByText("No tokens yet.").waitFor();
}

test("a token of a project is made and revoked", async () => {
  const page = await stage.open("/projects/WEB/board");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.waitForURL("**/projects/WEB/settings");
  await tabTo(page, "link", "Tokens");
  await page.keyboard.press("Enter");
  await page.getByText("No tokens yet.").waitFor();
  await tabTo(page, "button", "New token");
  await page.keyboard.press("Enter");
  const token = await makeToken(page, "Shop server");
  const reads = async () => (await stage.t.http.as(token).get(own("/reports"))).status;
  await eventually(() => reads(), 200);
  await tabTo(page, "button", "Actions for Shop server");
  await chooseInMenu(page, "Revoke token");
  await confirmRevocation(page);
  await eventually(() => reads(), 401);
  await page.leave();
});

test("a personal token is made and revoked", async () => {
  const page = await stage.open("/projects/WEB/board");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await runVerb(page, "open your profile", "Open your profile");
  await page.waitForURL("**/settings/profile");
  await tabTo(page, "link", /tokens/i);
  await page.keyboard.press("Enter");
  await page.getByText("No tokens yet.").waitFor();
  await tabTo(page, "button", "New token");
  await page.keyboard.press("Enter");
  const token = await makeToken(page, "Deploy script");
  const reads = async () => (await stage.t.http.as(token).get("/api/profile")).status;
  await eventually(() => reads(), 200);
  await tabTo(page, "button", "Revoke Deploy script");
  await page.keyboard.press("Enter");
  await confirmRevocation(page);
  await eventually(() => reads(), 401);
  await page.leave();
});
