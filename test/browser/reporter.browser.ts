import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** Serves another origin. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a page of another origin reports its errors with a pinned script tag, without inline scripts", async () => {
  const keys = await site.api.get("/api/projects/WEB/ingest-keys");
  const { key } = (keys.body as { data: [{ key: string }] }).data[0];
  const { files } = (await site.t.http.get("/reporter/reporter.json")).body as {
    files: { name: string; integrity: string }[];
  };
  const { name, integrity } = files.find((file) => file.name.endsWith(".js")) ?? assert.fail();
  const shop = await listen((request, response) => {
    const policy = `default-src 'none'; script-src 'self' ${site.url}; connect-src ${site.url}`;
    response.setHeader("content-security-policy", policy);
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(
      isScript
        ? 'throw new RangeError("no lines");'
        : `<!doctype html>
          <script src="${site.url}/reporter/${name}" crossorigin integrity="${integrity}" data-project="WEB"
            data-key="${key}" data-release="4.13.0"></script>
          <script src="/page.js"></script>`,
    );
  });
  const page = await site.open("/sign-in", { as: null });
  await page.goto(`${shop}/cart?user=ann`);
  const groups = async () => {
    const { data } = (await site.api.get("/api/projects/WEB/error-groups")).body as {
      data: { exception_class: string; latest_message: string; last_release: string }[];
    };
    return data.map((group) => [group.exception_class, group.latest_message, group.last_release]);
  };
  await eventually(groups, [["RangeError", "no lines", "4.13.0"]]);
});
