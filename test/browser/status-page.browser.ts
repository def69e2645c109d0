import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import { makeProjectToken } from "../support/make.ts";
import { upload, type Part } from "../support/multipart.ts";
import { useTestSite } from "./test-site.ts";
import type { TestPage } from "./test-page.ts";

const site = await useTestSite();
const reports = `/api/projects/${site.project.id}/reports`;
const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));

type Sent = { id: number; link: string };

/** Sends a report from outside. */
async function send(fields: Record<string, string> = {}, images: Buffer[] = []): Promise<Sent> {
  const body = { title: "The cart forgets its coupon", description: "After signing in.", ...fields };
  const parts: Part[] = [
    ...Object.entries(body).map(([name, value]) => ({ name, value })),
    ...images.map((content, n) => ({ name: `files[${n}]`, filename: `${n}.png`, content })),
  ];
  const { status, body: report, text } = await upload(sender, reports, parts);
  assert.equal(status, 201, text);
  const link = (await site.api.get(`${reports}/${report.id}/status-link`)).body;
  return { id: report.id, link: new URL(link.url).pathname };
}

const open = (link: string, options: { theme?: "light" | "dark"; width?: number } = {}) =>
  site.open(link, { as: null, ...options });

async function reply({ id }: Sent, content: string) {
  const answer = await site.api.post(`${reports}/${id}/comments`, { content, is_public: true });
  assert.equal(answer.status, 201, answer.text);
}

const widthOf = (page: TestPage) => page.evaluate(() => document.documentElement.scrollWidth);

test("a report's page is accessible and fits, in both themes and all widths, whatever its texts are", async () => {
  const long = "Donaudampfschifffahrtsgesellschaft".repeat(6);
  const one = await send(
    {
      title: `עגלת הקניות ריקה <b>${long}</b>`,
      description: `<img src=x onerror=alert(1)>\n${long}\n`.repeat(3),
      author_name: "<script>alert(1)</script>",
    },
    [await png(300, 200), await png(80, 400)],
  );
  const message = { content: `<a href="javascript:alert(1)">${long}</a>` };
  assert.equal((await site.t.http.post(`/api${one.link}/messages`, message)).status, 201);
  await reply(
    one,
    `**We found it**, see [the help](https://example.com) and\n\n- [x](javascript:alert(1))\n- \`${long}\``,
  );
  for (const theme of ["light", "dark"] as const)
    for (const width of [1280, 768, 320]) {
      const page = await open(one.link, { theme, width });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await eventually(() => widthOf(page), width, `scrolls sideways at ${width} px`);
      await eventually(() => page.locator("main script, main b, a[href^=javascript]").count(), 0);
      await page.checkAccessibility();
      if (process.env["SCREENSHOTS"])
        await page.screenshot({
          path: `${process.env["SCREENSHOTS"]}/${theme}-${width}.png`,
          fullPage: true,
        });
      await page.leave();
    }
});

test("the author writes to the team, whose reply is on the page, and both are there after a reload", async () => {
  const one = await send();
  const page = await open(one.link);
  await page.getByText("No messages yet.").waitFor();
  await page.getByRole("button", { name: "Send message" }).click();
  const field = page.getByLabel("Write to the team");
  await eventually(() => field.getAttribute("aria-invalid"), "true");
  await page.getByText("Write a message first.").waitFor();
  await field.fill("It happens with two coupons.");
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Your message was sent.").waitFor();
  await eventually(() => field.inputValue(), "");
  await eventually(() => page.getByText("No messages yet.").count(), 0);
  await reply(one, "Thank you, we can *reproduce* it.");
  await page.reload();
  const messages = await page.locator("#messages li").allInnerTexts();
  assert.match(messages[0] ?? "", /^You.*It happens with two coupons\.$/s);
  assert.match(messages[1] ?? "", /^Ada.*Team.*Thank you, we can reproduce it\.$/s);
  await page.leave();
});

test("images of the report and of a reply are shown, and one that is clicked opens in the browser", async () => {
  const one = await send({}, [await png(30, 20)]);
  const file = { name: "file", filename: "fixed.png", content: await png(40, 20) };
  const { id } = (await upload(site.api, `${reports}/${one.id}/attachments`, [file])).body;
  const content = `![Now](${reports}/${one.id}/attachments/${id}/download)`;
  const body = { content, is_public: true, attachment_ids: [id] };
  assert.equal((await site.api.post(`${reports}/${one.id}/comments`, body)).status, 201);
  const page = await open(one.link);
  const widthOfImage = (name: string) =>
    page.getByRole("img", { name }).evaluate((image: HTMLImageElement) => image.naturalWidth);
  await page.getByRole("img", { name: "Now" }).scrollIntoViewIfNeeded();
  await eventually(() => widthOfImage("Now"), 40);
  await eventually(() => widthOfImage("Image 1 of your report"), 30);
  await page.getByRole("img", { name: "Image 1 of your report" }).click();
  await page.waitForURL(`**/api${one.link}/images/1`);
  await eventually(() => page.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth), 30);
  // The policy of a file forbids the styles with which Chromium centers it.
  page.complaints.length = 0;
  await page.leave();
});

test("a message that cannot be sent stays in its field, and is stored once when it is sent again", async () => {
  const one = await send();
  const page = await open(one.link);
  const field = page.getByLabel("Write to the team");
  await field.fill("Hello");
  await page.route("**/messages", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("This could not be sent. Check your connection and try again.").waitFor();
  await eventually(() => field.inputValue(), "Hello");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Your message was sent.").waitFor();
  const { messages } = (await site.t.http.get(`/api${one.link}`)).body;
  assert.equal(messages.length, 1);
  page.complaints.length = 0;
  await page.leave();
});

test("the page says in words what becomes of the report, and in which release it is done", async () => {
  const one = await send();
  const page = await open(one.link);
  const badge = page.locator(".badge");
  await eventually(() => badge.innerText(), "Received");
  const body = { report_ids: [one.id], title: "Keep the coupon", description: "Always" };
  const [{ promoted_issue_id }] = (await site.api.post(`${reports}/promote`, body)).body;
  const lanes = await site.laneIds();
  const issue = `/api/projects/${site.project.id}/issues/${promoted_issue_id}`;
  for (const [kind, text] of [
    ["todo", "Planned"],
    ["doing", "In progress"],
    ["done", "Done"],
  ] as const) {
    assert.equal((await site.api.patch(issue, { lane_id: lanes[kind] })).status, 200);
    await page.reload();
    await eventually(() => badge.innerText(), text);
  }
  await site.create("/releases", { version: "4.13.0" });
  await page.reload();
  await eventually(() => badge.innerText(), "Done in 4.13.0");
  await page.leave();
});

test("the page is printed without forms", async () => {
  const page = await open((await send()).link);
  await page.emulateMedia({ media: "print" });
  await page.getByRole("heading", { name: "The cart forgets its coupon" }).waitFor();
  for (const role of ["textbox", "button"] as const)
    await eventually(() => page.getByRole(role).count(), 0, role);
  await page.leave();
});

test("without scripts, the page shows the report and says what needs them", async () => {
  const { link } = await send();
  const page = await open(link, {});
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false, baseURL: site.url });
  assert.ok(context);
  const plain = await context.newPage();
  await plain.goto(link);
  await plain.getByText("After signing in.").waitFor();
  await plain.getByText("Turn on JavaScript to write to the team.").waitFor();
  await eventually(() => plain.getByRole("button").count(), 0);
  await context.close();
  await page.leave();
});

test("a link that does not work leads to an accessible page that says so", async () => {
  for (const theme of ["light", "dark"] as const) {
    const page = await open("/r/Zk3vR0w2bLr8mJx1cQ9tUA", { theme, width: 320 });
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});
