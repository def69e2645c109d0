import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serveAnswers } from "../../../../test/support/answering-server.ts";
import { fetchJson } from "./fetch-json.ts";
import { openSentryApi } from "./sentry-api.ts";

type Intercept = NonNullable<NonNullable<Parameters<typeof serveAnswers>[1]>["intercept"]>;

async function serve(intercept: Intercept) {
  const server = await serveAnswers({ "/list": { body: [1] } }, { intercept });
  after(() => server.close());
  const signal = new AbortController().signal;
  return {
    server,
    get: (path = "/list") =>
      fetchJson(new URL(path, server.origin), {
        headers: { authorization: "Bearer t" },
        signal,
        backoffMs: 1,
      }),
  };
}

test("a rate limit is waited for as the server asks", async () => {
  let refused = 0;
  const { get } = await serve((_, response) => {
    if (refused >= 7) return false;
    refused++;
    response.writeHead(429, { "retry-after": refused % 2 ? "0" : new Date(0).toUTCString() }).end();
    return true;
  });
  assert.deepEqual((await get()).body, [1]);
  assert.equal(refused, 7);
});

test("outages are retried, but not for ever", async () => {
  let failures = 0;
  const { get } = await serve((request, response) => {
    if (request.url === "/list" && ++failures > 3) return false;
    if (failures % 2) response.socket?.destroy();
    else response.writeHead(503).end();
    return true;
  });
  assert.deepEqual((await get()).body, [1]);
  await assert.rejects(get("/other"), /answered with status 503|does not answer/);
});

test("the token is not sent to where the server redirects", async () => {
  const other = await serve(() => false);
  const { get } = await serve((_, response) => {
    response.writeHead(302, { location: `${other.server.origin}/list` }).end();
    return true;
  });
  await assert.rejects(get(), /redirects elsewhere \(302\)/);
  assert.deepEqual(other.server.requests, []);
});

test("a refused token, a page of HTML and an endless answer are reported", async () => {
  const { get } = await serve((request, response) => {
    if (request.url === "/token") response.writeHead(401).end();
    else if (request.url === "/html") response.end("<html>");
    else {
      const chunk = Buffer.alloc(65_536, " ");
      const write = () => {
        while (response.write(chunk));
        response.once("drain", write);
      };
      write();
    }
    return true;
  });
  await assert.rejects(get("/token"), /refused the token \(401\)/);
  await assert.rejects(get("/html"), /does not answer with JSON/);
  await assert.rejects(get("/endless"), /too large/);
});

for (const [title, link] of [
  [
    "Sentry's form",
    '<https://x.example/?cursor=a>; rel="previous"; results="false", <https://x.example/?cursor=C>; rel="next"; results="true"; cursor="C"',
  ],
  [
    "GlitchTip's form",
    `{'<https://x.example/?>; rel="previous"; results="false", <https://x.example/?limit=1&cursor=C>; rel="next"; results="true"; cursor="C"'}`,
  ],
] as const)
  test(`pages follow a link in ${title}, and a server that repeats one is left`, async () => {
    const path = "/api/0/organizations/acme/issues/";
    const server = await serveAnswers({
      [path]: { body: [1], link },
      [`${path}?cursor=C`]: { body: [2], link: link.replaceAll("true", "false") },
    });
    const endless = await serveAnswers({ [path]: { body: [1], link } });
    after(() => Promise.all([server.close(), endless.close()]));
    const read = async (origin: string) => {
      const api = openSentryApi(new URL(path, origin), null, { signal: new AbortController().signal });
      const pages = [];
      for await (const page of api.pages("organizations/acme/issues/")) pages.push(page);
      return pages;
    };
    assert.deepEqual(await read(server.origin), [[1], [2]]);
    await assert.rejects(read(endless.origin), /repeats a page/);
  });
