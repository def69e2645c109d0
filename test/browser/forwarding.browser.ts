import assert from "node:assert/strict";
import { test } from "node:test";
import { openSink } from "../support/envelope-sink.ts";
import { eventually } from "../support/eventually.ts";
import { makeIngestKey } from "../support/make.ts";
import { eventEnvelope } from "../support/sentry.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite({ WEBHOOK_ALLOW: "127.0.0.1" });

test("a DSN to forward to is checked, then shown without its key, with what was sent there", async (context) => {
  const sink = await openSink(context);
  const page = await site.open("/projects/WEB/settings?section=ingestion");
  const field = page.getByLabel("DSN of the other server");
  const save = page.locator("form", { has: field }).getByRole("button", { name: "Save" });
  await field.fill("http://0123456789abcdef@192.168.0.1/7");
  await save.click();
  await page.getByText("Must be an https:// address.").waitFor();
  await field.fill(sink.dsn);
  await page.keyboard.press("Enter");
  const masked = sink.dsn.replace(/\/\/.*@/, "//…cdef@");
  await eventually(() => field.inputValue(), masked);
  await page.getByText(/0 sent, 0 failed, 0 dropped/).waitFor();
  await page.checkAccessibility();

  const key = await makeIngestKey(site.t.db, site.project.id);
  const send = () =>
    site.t.http.send({
      method: "POST",
      url: `/api/${site.project.id}/envelope/?sentry_key=${key}`,
      payload: eventEnvelope({ exception: { values: [{ type: "Error", value: "Forwarded" }] } }),
    });
  assert.equal((await send()).status, 200);
  await page.getByText(/1 sent, 0 failed, 0 dropped/).waitFor();
  sink.respond = (response) => response.writeHead(403).end();
  assert.equal((await send()).status, 200);
  await page.getByText("Latest problem: The host answered with status 403.").waitFor();

  await field.fill("");
  await save.click();
  await page.getByText(/1 sent/).waitFor({ state: "detached" });
  const saved = async () => (await site.api.get(`/api/projects/${site.project.id}`)).body.forward_dsn;
  await eventually(saved, null);
  await page.leave();
});
