import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Journeys by touch only, on a phone: the tests tap and type, and press no key. */

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });

test("an error is opened, assigned, commented and resolved, which is undone", async () => {
  const errors = await openErrorList(site);
  for (const name of ["Alpha", "Beta"]) await errors.send(name, { release: "4.12.0" });
  const page = await site.open(errors.url, PHONE);
  await rowLink(page, "Beta").tap();
  await page.getByRole("button", { name: /^Assignee: Nobody/ }).tap();
  await page.getByRole("option", { name: /Ada Moss/ }).tap();
  await page.getByRole("button", { name: /^Assignee: Ada Moss/ }).waitFor();
  await page.getByRole("textbox", { name: "Write a comment" }).tap();
  await page.keyboard.insertText("The coupon is gone.");
  await page.getByRole("button", { name: "Comment", exact: true }).tap();
  await page.getByRole("list", { name: "Threads" }).getByText("The coupon is gone.").waitFor();
  await page
    .getByRole("button", { name: /^Resolve/ })
    .first()
    .tap();
  const undo = page.getByRole("group", { name: /^Beta resolved/ }).getByRole("button", { name: "Undo" });
  // A message stays while it has the focus.
  await undo.focus();
  await eventually(async () => (await errors.group("Beta")).status, 1);
  await undo.tap();
  await eventually(async () => (await errors.group("Beta")).status, 0);
  await page.leave();
});

test("on a phone, an error's assignee and watch button come before its events and comments", async () => {
  const errors = await openErrorList(site);
  await errors.send("Delta");
  const page = await errors.openPageOf("Delta", PHONE);
  const top = async (name: RegExp | string) =>
    (await page.getByRole("region", { name }).first().boundingBox())?.y ?? Infinity;
  await page.getByRole("button", { name: "Watch" }).waitFor();
  await page.getByRole("textbox", { name: "Write a comment" }).waitFor();
  assert.ok((await top("Work")) < (await top("Stack trace")));
  await page.leave();
});

test("an error is resolved in the next release", async () => {
  const errors = await openErrorList(site);
  await errors.send("Gamma", { release: "4.12.0" });
  const page = await errors.openPageOf("Gamma", PHONE);
  await page.getByRole("button", { name: "Actions for Gamma" }).tap();
  await page.getByRole("menuitem", { name: "Fixed in" }).tap();
  await page.getByRole("menuitem", { name: "The next release" }).tap();
  await eventually(async () => (await errors.group("Gamma")).resolved_in?.mode, "next_release");
  await page.leave();
});

test("two errors are merged, and one is resolved by its menu", async () => {
  const errors = await openErrorList(site);
  for (const name of ["MergeA", "MergeB", "Other"]) await errors.send(name);
  const page = await site.open(errors.url, PHONE);
  for (const name of ["MergeA", "MergeB"]) await page.getByRole("checkbox", { name: `Select ${name}` }).tap();
  await page
    .getByRole("toolbar", { name: "Actions for selected items" })
    .getByRole("button", { name: "Merge…" })
    .tap();
  const dialog = page.getByRole("alertdialog", { name: "Merge 2 errors?" });
  await dialog.getByRole("radio", { name: /^MergeA/ }).tap();
  await dialog.getByRole("button", { name: "Merge" }).tap();
  await eventually(async () => (await errors.group("MergeA")).occurrence_count, 2);
  await page.getByRole("button", { name: "Actions for Other" }).tap();
  await page.getByRole("menuitem", { name: "Resolve", exact: true }).tap();
  await eventually(async () => (await errors.group("Other")).status, 1);
  await page.leave();
});
