import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("something shared without the service worker leads to the page that says so, whatever was sent", async () => {
  for (const type of ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain"]) {
    const answer = await t.http.send({
      method: "POST",
      url: "/share",
      headers: { "content-type": type, "sec-fetch-site": "none" },
      payload: "--x\r\n",
    });
    assert.deepEqual([answer.status, answer.headers["location"]], [303, "/share?lost=1"]);
  }
});
