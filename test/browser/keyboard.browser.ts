import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { chooseInMenu, focusOn, pressUntil, tabTo } from "./focus.ts";
import type { TestPage } from "./test-page.ts";
import { takeOption } from "./pick-option.ts";
import { pressSequence } from "./press-sequence.ts";
import { useTestSite } from "./test-site.ts";

/*
 * Journeys with the keyboard only: the tests do not click, fill or focus anything. The tests of setup, sign-in, issue
 * lists, error pages, the inbox and search contain further ones.
 */

const site = await useTestSite({ LIMIT_API: "100000" });

const own = (path: string) => `/api/projects/${site.project.id}${path}`;

async function created<T>(path: string, body: Record<string, unknown>): Promise<T> {
  const answer = await site.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as T;
}

/** Runs a command of the palette. */
async function runVerb(page: TestPage, words: string, option: string | RegExp) {
  await page.keyboard.press("Control+k");
  await focusOn(page, "combobox", "Search or run a command");
  await page.keyboard.type(words);
  await page.getByRole("option", { name: option, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

test("a card is reached by Tab and moved to another lane", async () => {
  const { id } = await created<{ id: number }>("/api/projects", { key: "KEYB", name: "Board by keys" });
  const issue = await created<{ id: number }>(`/api/projects/${id}/issues`, { title: "Carry me" });
  const page = await site.open("/projects/KEYB/board");
  await tabTo(page, "link", "Carry me");
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  const card = page
    .getByRole("region", { name: "To do", exact: true })
    .getByRole("link", { name: "Carry me" });
  await card.waitFor();
  await page.keyboard.press(" ");
  const { body: lanes } = await site.api.get(`/api/projects/${id}/lanes`);
  const lane = lanes.data.find(({ name }: { name: string }) => name === "To do");
  await eventually(
    async () => (await site.api.get(`/api/projects/${id}/issues/${issue.id}`)).body.lane_id,
    lane.id,
  );
  await focusOn(page, "link", "Carry me");
  await page.leave();
});

test("the title, description and properties of an issue are changed", async () => {
  const issue = await created<{ id: number; key: string }>(own("/issues"), { title: "Tytle" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
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
    await takeOption(page, new RegExp(words, "i"));
    await focusOn(page, "button", shown);
  }
  await tabTo(page, "button", /^Estimate:/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("1h 30m");
  await page.keyboard.press("Enter");
  await eventually(async () => {
    const { body } = await site.api.get(own(`/issues/${issue.id}`));
    return [body.title, body.description, body.type, body.estimated_minutes];
  }, ["Title", "Steps: **none**", 1, 90]);
  await page.leave();
});

test("a comment with a mention is liked, pinned and replied to", async () => {
  await site.member("Member", { username: "carlos", email: "carlos@example.com" });
  const issue = await created<{ id: number; key: string }>(own("/issues"), { title: "Discussed" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
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
    const [root, reply] = (await site.api.get(own(`/issues/${issue.id}/comments`))).body.data;
    return [root.content, root.is_pinned, root.liker_ids, reply?.content, reply?.parent_id === root.id];
  }, ["Ask @carlos today", true, [site.owner.id], "On it", true]);
  await page.leave();
});

/** Chooses an option of the focused picker. */
async function pickByKeyboard(page: TestPage, option: string): Promise<void> {
  await page.keyboard.press("Enter");
  await focusOn(page, "combobox", /./);
  await page.keyboard.type(option);
  await takeOption(page, option);
  await page.getByRole("option").first().waitFor({ state: "detached" });
}

test("a person is invited to a project, starting from the account menu", async () => {
  // The only project would be chosen already.
  assert.equal((await site.api.post("/api/projects", { key: "ZOO", name: "Zoo" })).status, 201);
  const page = await site.open("/projects/WEB");
  await tabTo(page, "button", /Ada Moss/);
  await chooseInMenu(page, "Workspace settings");
  await page.waitForURL(/\/workspaces\/\d+\/settings/);
  await tabTo(page, "link", "Invitations");
  await page.keyboard.press("Enter");
  await page.getByText("No open invitations.").waitFor();
  await tabTo(page, "button", "Invite");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "Email");
  await page.keyboard.type("grace@example.com");
  await tabTo(page, "button", "Add a project");
  await pickByKeyboard(page, "Web shop");
  await pressUntil(page, "Shift+Tab", "button", /Role in project 1/);
  await pickByKeyboard(page, "Viewer");
  await tabTo(page, "button", "Invite");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "grace@example.com is invited" }).waitFor();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await eventually(async () => (await site.t.http.get(`/api${new URL(link).pathname}`)).status, 200);
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await focusOn(page, "button", "Invite");
  const { body } = await site.api.get(`/api/workspaces/${site.workspaceId}/invitations`);
  const { body: roles } = await site.api.get(`/api/workspaces/${site.workspaceId}/roles`);
  const viewer = roles.data.find(({ name }: { name: string }) => name === "Viewer");
  assert.deepEqual(
    body.data.map(({ email, projects }: { email: string; projects: unknown }) => ({ email, projects })),
    [{ email: "grace@example.com", projects: [{ project_id: site.project.id, role_id: viewer.id }] }],
  );
  await page.leave();
});

/** Creates a token in the open dialog and reads it while it is shown. */
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

test("a project token is created and revoked", async () => {
  const page = await site.open("/projects/WEB/board");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await pressSequence(page, "g", "s");
  await page.waitForURL("**/projects/WEB/settings");
  await tabTo(page, "link", "Tokens");
  await page.keyboard.press("Enter");
  await page.getByText("No tokens yet.").waitFor();
  await tabTo(page, "button", "New token");
  await page.keyboard.press("Enter");
  const token = await makeToken(page, "Shop server");
  const reads = async () => (await site.t.http.as(token).get(own("/reports"))).status;
  await eventually(() => reads(), 200);
  await tabTo(page, "button", "Actions for Shop server");
  await chooseInMenu(page, "Revoke token");
  await confirmRevocation(page);
  await eventually(() => reads(), 401);
  await page.leave();
});

test("a personal token is created and revoked", async () => {
  const page = await site.open("/projects/WEB/board");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await runVerb(page, "open your profile", "Open your profile");
  await page.waitForURL("**/settings/profile");
  await tabTo(page, "link", /tokens/i);
  await page.keyboard.press("Enter");
  await page.getByText("No tokens yet.").waitFor();
  await tabTo(page, "button", "New token");
  await page.keyboard.press("Enter");
  const token = await makeToken(page, "Deploy script");
  const reads = async () => (await site.t.http.as(token).get("/api/profile")).status;
  await eventually(() => reads(), 200);
  await tabTo(page, "button", "Revoke Deploy script");
  await page.keyboard.press("Enter");
  await confirmRevocation(page);
  await eventually(() => reads(), 401);
  await page.leave();
});
