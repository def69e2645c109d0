import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import type { Comment } from "../../src/shared/comments.ts";
import type { Issue } from "../../src/shared/issues.ts";
import type { Report } from "../../src/shared/reports.ts";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeMember, makeProjectToken } from "../support/make.ts";
import { makePerson, PASSWORD } from "../support/person.ts";
import { hasFirefox, startFirefox } from "./firefox.ts";
import { useTestSite } from "./test-site.ts";

/* The main journeys in another engine, in one tab and in this order. Optional: without Firefox this file tests nothing. */

if (hasFirefox) await addTests();
else console.log("Firefox is not installed: its journeys are not tested.");

async function addTests() {
  const site = await useTestSite();
  const { page, close } = await startFirefox();
  after(close);
  afterEach(() => assert.deepEqual(page.errors(), []));
  const url = `/api/projects/${site.project.id}`;
  const issues = async () => (await site.api.get(`${url}/issues`)).body.data as Issue[];

  test("Firefox: sign-in leads to the requested page", async () => {
    const person = await makePerson(site.t);
    await makeMember(site.t.db, site.project.id, { user: person, role: "Manager" });
    await page.goto(`${site.url}/projects/WEB/issues`);
    await page.click("textbox", "Email");
    await page.type(person.email);
    await page.press("Tab");
    await page.type(PASSWORD);
    await page.press("Enter");
    await page.find("heading", "No open issues");
    await eventually(() => page.path(), "/projects/WEB/issues");
  });

  test("Firefox: an issue is created, and commented with a key of the editor", async () => {
    await page.press("c");
    await page.find("textbox", "Title");
    await page.type("Gift cards");
    await page.press("Control+Enter");
    await page.click("link", "Gift cards");
    // The keys of the editor come with its toolbar.
    await page.find("toolbar", "Formatting");
    await page.click("textbox", "Write a comment");
    await page.type("Sold by ");
    await page.press("Control+b");
    await page.type("mail");
    await page.press("Control+Enter");
    const [issue] = await issues();
    const comments = async () =>
      (await site.api.get(`${url}/issues/${issue?.id}/comments`)).body.data as Comment[];
    await eventually(async () => (await comments()).map(({ content }) => content), ["Sold by **mail**"]);
  });

  test("Firefox: a card is moved to the next lane with the keyboard", async () => {
    const [before] = await issues();
    await page.goto(`${site.url}/projects/WEB/board`);
    await page.find("link", "Gift cards");
    await page.press("j", "Space", "ArrowRight", "Space");
    await eventually(async () => (await issues())[0]?.lane_id === before?.lane_id, false);
  });

  test("Firefox: a report is promoted", async () => {
    const { status } = await site.api.post(`${url}/reports`, {
      title: "Cart empties",
      description: "At noon.",
    });
    assert.equal(status, 201);
    await page.goto(`${site.url}/projects/WEB/triage`);
    await page.find("link", "Cart empties");
    await page.press("e");
    const reports = async () => (await site.api.get(`${url}/reports`)).body as Report[];
    await eventually(async () => (await reports())[0]?.promoted_issue_id !== null, true);
  });

  test("Firefox: an error that arrives while the list is open is shown and resolved", async () => {
    const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
    await page.goto(`${site.url}/projects/WEB/errors`);
    await page.find("heading", "Errors");
    const { status } = await sender.post(`${url}/error-events`, anEvent({ exception_class: "CartTimeout" }));
    assert.equal(status, 202);
    await page.click("link", "CartTimeout");
    await page.click("button", "Resolve");
    const groups = async () => (await site.api.get(`${url}/error-groups`)).body.data as { status: number }[];
    await eventually(async () => (await groups()).map((group) => group.status), [1]);
  });
}
