import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("the reference page has only same-origin scripts and nothing inline", async () => {
  const page = await t.http.get("/api/docs");
  assert.equal(page.status, 200);
  assert.match(page.headers["content-type"] ?? "", /^text\/html/);
  const policy = page.headers["content-security-policy"] ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  assert.doesNotMatch(page.text, /<script(?![^>]*\ssrc="\/api\/docs\/)|<style|\son\w+=|https?:/);
});

test("every file that the page refers to exists", async () => {
  const page = await t.http.get("/api/docs");
  const urls = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
  assert.equal(urls.length, 5);
  for (const url of urls) {
    const file = await t.http.get(url);
    assert.equal(file.status, 200, url);
    assert.equal(file.headers["x-content-type-options"], "nosniff");
    const [type = ""] = (file.headers["content-type"] ?? "").split(";");
    assert.ok(["text/javascript", "application/javascript", "text/css", "image/png"].includes(type), type);
  }
});

test("an unchanged file returns 304", async () => {
  const url = "/api/docs/swagger-ui.css";
  const { headers } = await t.http.get(url);
  const again = await t.http.send({
    method: "GET",
    url,
    headers: { "if-none-match": headers["etag"] ?? "" },
  });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

for (const name of ["package.json", "index.html", "..%2Findex.html", "constructor", "swagger-ui.js"])
  test(`other files of the renderer are not served: ${name}`, async () => {
    const answer = await t.http.get(`/api/docs/${name}`);
    assert.deepEqual([answer.status, typeof answer.body?.message], [404, "string"]);
  });
