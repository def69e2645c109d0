import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import type { BuiltPage } from "../../../shared/built-page.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const THEME = 'document.title = "$&";';
const folder = await mkdtemp(path.join(tmpdir(), "signalbox-web-app-"));
const PROJECT = "/projects/$projectKey";
const PAGES: BuiltPage[] = [
  { path: "/sign-in", code: "session/sign-in-page.tsx", isPublic: true },
  aPage("/notifications", { "": "/api/notifications?limit=100&include=all&unread=true" }),
  aPage(PROJECT),
  aPage(`${PROJECT}/board`, `/api${PROJECT}/issues?sort=-created_at&limit=200`),
  aPage(`${PROJECT}/issues/$issueKey`, `/api${PROJECT}/issues/$issueKey`),
  aPage(`${PROJECT}/errors`, { "": `/api${PROJECT}/error-groups` }),
  aPage(`${PROJECT}/errors/$errorGroupId`, `/api${PROJECT}/error-groups/$errorGroupId`),
];
await build("first", 1);
const t = await useTestApp({}, { webApp: folder });
after(() => rm(folder, { recursive: true, force: true }));

function aPage(path: string, request?: BuiltPage["request"]): BuiltPage {
  return { path, code: "board/board-page.tsx", isPublic: false, ...(request !== undefined && { request }) };
}

/** Writes the output of a build, with a modification time of `second` seconds since 1970. */
async function build(name: string, second: number) {
  await rm(path.join(folder, "assets"), { recursive: true, force: true });
  await mkdir(path.join(folder, "assets"));
  await writeFile(path.join(folder, `assets/${name}.js`), `// ${name}`);
  const page = path.join(folder, "index.html");
  await writeFile(
    page,
    `<head><script src="/theme.js"></script><script src="/assets/${name}.js"></script></head><!-- frame -->the frame<!-- end of frame -->`,
  );
  await writeFile(path.join(folder, "theme.js"), THEME);
  const chunks = {
    "session/sign-in-page.tsx": { file: "assets/sign-in.js" },
    "board/board-page.tsx": { file: "assets/board.js", imports: ["_shared.js"] },
    "_shared.js": { file: "assets/shared.js", imports: ["board/board-page.tsx"] },
    "_frame.js": { file: "assets/frame.js", name: "frame" },
  };
  await mkdir(path.join(folder, ".vite"), { recursive: true });
  await writeFile(path.join(folder, ".vite/manifest.json"), JSON.stringify(chunks));
  await writeFile(path.join(folder, ".vite/pages.json"), JSON.stringify(PAGES));
  await utimes(page, second, second);
}

const get = (url: string) => t.http.send({ method: "GET", url, headers: { accept: "*/*" } });

test("every path of the app returns its page, and assets are cached for a year", async () => {
  const page = await get("/projects/12");
  assert.deepEqual([page.status, page.headers["cache-control"]], [200, "no-cache"]);
  assert.match(page.text, /assets\/first\.js/);
  assert.match(String(page.headers["content-security-policy"]), /script-src 'self'/);
  assert.match((await get("/projects/WEB/releases/shop%404.13.0")).text, /assets\/first\.js/);
  const script = await get("/assets/first.js");
  assert.deepEqual(
    [script.status, script.headers["cache-control"]],
    [200, "public, max-age=31536000, immutable"],
  );
  for (const missing of ["/assets/none.js", "/api/none"]) {
    const answer = await get(missing);
    assert.deepEqual([answer.status, answer.headers["cache-control"]], [404, "no-store"]);
  }
});

test("the page names the code of its path, and the frame and first requests only for people who are signed in", async () => {
  const visitor = await get("/sign-in");
  assert.match(visitor.text, /modulepreload" crossorigin href="\/assets\/sign-in\.js"/);
  const cookie = { accept: "*/*", cookie: "signalbox=secret" };
  const at = (url: string) => t.http.send({ method: "GET", url, headers: cookie });
  const board = (await at("/projects/WEB/board")).text;
  for (const part of ["/assets/board.js", "/assets/shared.js", "/assets/frame.js", "the frame"])
    assert.ok(board.includes(part), part);
  const requests = (html: string) =>
    [...html.matchAll(/as="fetch" crossorigin href="([^"]*)"/g)].map(([, url]) => url);
  const boot = "/api/boot?project=WEB";
  assert.deepEqual(requests(board), [boot, "/api/projects/WEB/issues?sort=-created_at&amp;limit=200"]);
  for (const [path, request] of [
    ["issues/WEB-1?tab=history", "issues/WEB-1"],
    ["errors", "error-groups"],
    ["errors/7?from=all", "error-groups/7"],
    ["errors/7", "error-groups/7"],
  ])
    assert.deepEqual(requests((await at(`/projects/WEB/${path}`)).text), [
      boot,
      `/api/projects/WEB/${request}`,
    ]);
  // Outside of projects, the sidebar shows the project that was opened most recently.
  const recently = (url: string, recent: string) =>
    t.http.send({ method: "GET", url, headers: { accept: "*/*", cookie: `signalbox=secret; ${recent}` } });
  const inbox = "/api/notifications?limit=100&amp;include=all&amp;unread=true";
  assert.deepEqual(requests((await at("/notifications")).text), ["/api/boot", inbox]);
  for (const [recent, project] of [
    ["recent_project=WEB", "?project=WEB"],
    ['recent_project="><script>', ""],
  ] as const)
    assert.deepEqual(requests((await recently("/notifications", recent)).text), [
      `/api/boot${project}`,
      inbox,
    ]);
  assert.deepEqual(requests((await recently("/projects/SHOP", "recent_project=WEB")).text), [
    "/api/boot?project=SHOP",
  ]);
  // A request for one search is not made for another, and none with a malformed id.
  for (const path of ["errors?query=cart", "errors/none", "issues/12"])
    assert.deepEqual(requests((await at(`/projects/WEB/${path}`)).text), [boot]);
  for (const page of [visitor.text, (await get("/projects/WEB/board")).text, (await at("/sign-in")).text])
    assert.doesNotMatch(page, /the frame|api\/boot/);
  for (const hostile of [
    "/projects/%22%3E%3Cscript%3E/board",
    "/projects/WEB/issues/WEB-1%22%3E%3Cscript%3E",
    '/projects/WEB/board?query="><script>',
  ])
    assert.doesNotMatch((await at(hostile)).text, /"><script>/, hostile);
});

test("the page that the service worker keeps has the frame, and nothing of an address or a person", async () => {
  const recently = { accept: "*/*", cookie: "signalbox=secret; recent_project=WEB" };
  const shell = await t.http.send({ method: "GET", url: "/shell.html", headers: recently });
  assert.deepEqual([shell.status, shell.headers["cache-control"]], [200, "no-cache"]);
  assert.match(String(shell.headers["content-type"]), /^text\/html/);
  for (const part of ["the frame", "/assets/frame.js", "assets/first.js"])
    assert.ok(shell.text.includes(part), part);
  assert.doesNotMatch(shell.text, /api\/|WEB|board\.js/);
  const page = await get("/");
  assert.equal(shell.headers["content-security-policy"], page.headers["content-security-policy"]);
  assert.equal((await get("/shell.html")).text, shell.text);
});

test("the page contains the script of the theme, which its policy allows by its hash, and no other inline script", async () => {
  const { text, headers } = await get("/");
  assert.ok(text.includes(`<script>${THEME}</script>`));
  const hash = createHash("sha256").update(THEME).digest("base64");
  assert.match(String(headers["content-security-policy"]), /script-src 'self' 'sha256-[^ ;]*';/);
  assert.ok(String(headers["content-security-policy"]).includes(`'sha256-${hash}'`));
});

test("after a rebuild, the running server serves the new page and its new assets", async () => {
  await build("second", 2);
  assert.match((await get("/")).text, /assets\/second\.js/);
  assert.equal((await get("/assets/second.js")).status, 200);
  const gone = await get("/assets/first.js");
  assert.deepEqual([gone.status, gone.headers["cache-control"]], [404, "no-store"]);
});
