import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useSharedPage } from "./shared-page.ts";
import { useTestSite } from "./test-site.ts";
import { openErrorList } from "./error-list.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });
const openErrors = () => openErrorList(site);

describe("an error with two kept events", () => {
  const sharedPage = useSharedPage(async () => {
    const errors = await openErrors();
    await site.api.patch(`/api/projects/${errors.project.id}`, {
      repository_url_pattern: "https://git.example.com/shop/{path}#L{line}",
    });
    await errors.send("Kept", { message: "The first one", event_id: "a".repeat(32), tags: { plan: "free" } });
    await errors.send("Kept", {
      message: "The second one",
      level: "fatal",
      tags: { plan: "pro" },
      breadcrumbs: [
        { timestamp: 1_763_799_000, category: "query", message: "select * from coupons", level: "info" },
      ],
      request: { method: "POST", path: "/cart/18/coupon", headers: { "User-Agent": "Mozilla/5.0" } },
      contexts: { os: { name: "Android" } },
      frames: [
        {
          function: "check",
          filename: "app/Coupons.php",
          line: 58,
          in_app: true,
          pre_context: ["if ($expired) {"],
          context_line: "  throw new Expired();",
          post_context: ["}"],
        },
      ],
    });
    const page = await errors.openPageOf("Kept");
    await page.getByText("2 of 2 events kept").waitFor();
    return page;
  });

  test("the latest one is shown with its breadcrumbs, source lines, request, tags and contexts", async () => {
    const page = sharedPage();
    await page
      .getByRole("list", { name: /^Breadcrumbs/ })
      .getByText("select * from coupons")
      .waitFor();
    await page.getByRole("region", { name: "Source of check" }).getByText("throw new Expired();").waitFor();
    await page.getByText("POST /cart/18/coupon").waitFor();
    await page.getByRole("row", { name: /plan.*50%/ }).waitFor();
    await page.getByText("Android").waitFor();
    await page.checkAccessibility();
  });

  test("a frame links to its line in the repository", async () => {
    const source = sharedPage().getByRole("link", { name: /^Source/ });
    await eventually(() => source.getAttribute("href"), "https://git.example.com/shop/app/Coupons.php#L58");
    await eventually(() => source.getAttribute("rel"), "noopener noreferrer");
  });

  test("buttons lead to the older event and back to the latest", async () => {
    const page = sharedPage();
    await page.getByRole("group", { name: "Event" }).getByText("2 of 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Older event" }).click();
    await page.getByText("The first one").waitFor();
    await eventually(() => page.getByText("select * from coupons").count(), 0);
    await page.getByRole("button", { name: "Latest" }).click();
    await page.getByText("select * from coupons").waitFor();
  });
});

test("an older event has an address, which a reload and Back follow, and the details say which event is shown", async () => {
  const errors = await openErrors();
  await errors.send("Kept", { message: "The first one", runtime: { name: "node", version: "20.1.0" } });
  await errors.send("Kept", { message: "The second one", runtime: { name: "node", version: "22.9.0" } });
  const page = await errors.openPageOf("Kept");
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { name: "Latest event" }).waitFor();
  await page.getByRole("button", { name: "Older event" }).click();
  await page.waitForURL(/[?&]event=\d+/);
  await details.getByRole("heading", { name: "Event 1 of 2" }).waitFor();
  await details.getByText(/20\.1\.0/).waitFor();
  await page.reload();
  await details.getByRole("heading", { name: "Event 1 of 2" }).waitFor();
  await page.getByText("The first one").waitFor();
  await page.goBack();
  await details.getByRole("heading", { name: "Latest event" }).waitFor();
  await page.goto(`${page.url().split("?")[0]}?event=999999999`);
  await page.getByText("The event of this link is no longer kept.").waitFor();
  await details.getByRole("heading", { name: "Latest event" }).waitFor();
  await page.leave();
});

test("trace frames show their source lines once, and the newest app frame is open at first", async () => {
  const errors = await openErrors();
  const frame = (name: string, line: number, context_line: string) => ({
    function: name,
    filename: "app/cart.js",
    line,
    column: 5,
    context_line,
  });
  await errors.send("Sourced", {
    stack_trace: [
      "Error: no price",
      "    at load (node_modules/prices/load.js:3:5)",
      "    at priceOf (app/cart.js:31:5)",
      "    at total (app/cart.js:12:5)",
    ].join("\n"),
    frames: [
      { ...frame("load", 3, "throw missing;"), filename: "node_modules/prices/load.js", in_app: false },
      frame("priceOf", 31, "return prices.get(item);"),
      frame("total", 12, "sum += priceOf(item);"),
    ],
  });
  const page = await errors.openPageOf("Sourced");
  const trace = page.getByRole("list", { name: "Stack trace" });
  const sourceOf = (name: string) => trace.getByRole("region", { name: `Source of ${name}` });
  await sourceOf("priceOf").getByText("return prices.get(item);").waitFor();
  await eventually(() => page.getByText("priceOf", { exact: true }).count(), 1);
  await trace.getByRole("button", { name: "Source lines of total", expanded: false }).click();
  await sourceOf("total").getByText("sum += priceOf(item);").waitFor();
  await page.checkAccessibility();
  await trace.getByRole("button", { name: "Source lines of priceOf", expanded: true }).click();
  await sourceOf("priceOf").waitFor({ state: "detached" });
  await page.leave();
});

test("on a phone, the icon of a link to the source stays in the line of its text, however long the path", async () => {
  const errors = await openErrors();
  await site.api.patch(`/api/projects/${errors.project.id}`, {
    repository_url_pattern: "https://git.example.com/shop/{path}#L{line}",
  });
  const paths = Array.from({ length: 24 }, (_, length) => `app/${"a".repeat(24 + length)}.js`);
  await errors.send("Long", {
    stack_trace: ["Error: no price", ...paths.map((path) => `    at total (${path}:31:5)`)].join("\n"),
  });
  const page = await errors.openPageOf("Long");
  await page.setViewportSize({ width: 390, height: 800 });
  const links = page.getByRole("list", { name: "Stack trace" }).getByRole("link");
  await eventually(() => links.count(), paths.length);
  const alone = await links.evaluateAll((all) =>
    all.flatMap((link) => {
      const [icon, text] = [link.querySelector("svg"), document.createRange()];
      text.setStart(link, 0);
      text.setEndBefore(icon ?? link);
      const last = [...text.getClientRects()].at(-1);
      const isBeside = icon && last && icon.getBoundingClientRect().top < last.bottom;
      return isBeside ? [] : [link.textContent];
    }),
  );
  assert.deepEqual(alone, []);
  await page.leave();
});

test("a trace of 131,072 characters is rendered a hundred frames at a time", async () => {
  const errors = await openErrors();
  const frame = "#0 /srv/a.php(1): f()\n";
  await errors.send("Endless", { stack_trace: frame.repeat(Math.floor(131_072 / frame.length)) });
  const page = await errors.openPageOf("Endless");
  const frames = page.getByRole("list", { name: "Stack trace" }).getByRole("listitem");
  await frames.first().waitFor();
  await eventually(() => frames.count(), 100);
  await page.getByRole("button", { name: "Show 500 more" }).click();
  await frames.nth(599).waitFor();
  await eventually(() => frames.count(), 600);
  await page.getByRole("button", { name: "Raw" }).click();
  const raw = page.getByRole("region", { name: "Stack trace", exact: true }).last();
  await page.getByText(/^Part 1 of \d+ shown$/).waitFor();
  assert.ok(((await raw.textContent()) ?? "").length < 40_000);
  await page.leave();
});
