import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { createServer, request as startRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { eventually } from "../../../test/support/eventually.ts";
import { uploaderOf } from "./uploader.ts";
import { Uploads } from "./uploads.ts";

test("what crashes left behind is deleted at the start and every hour, and recent folders are kept", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-uploads-"));
  const makeFolder = async (name: string, minutesOld: number) => {
    const made = path.join(folder, name);
    await mkdir(made);
    const time = new Date(Date.now() - minutesOld * 60_000);
    await utimes(made, time, time);
  };
  await makeFolder("old", 61);
  await makeFolder("recent", 59);
  t.mock.timers.enable({ apis: ["setInterval"] });
  const uploads = new Uploads(folder, 1_000);
  await uploads.startSweeping();
  assert.deepEqual(await readdir(folder), ["recent"]);
  await makeFolder("later", 61);
  t.mock.timers.tick(3_600_000);
  await eventually(() => readdir(folder), ["recent"]);
  uploads.stopSweeping();
  await rm(folder, { recursive: true });
});

test("clients that send slowly do not keep others from uploading", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-uploads-"));
  const uploads = new Uploads(folder, 60_000);
  const expected = { fields: [], fileField: () => "file", files: 1, fileBytes: 100 };
  const server = createServer((request, response) => {
    const uploader = uploaderOf({ key: "ing:1" }, { id: 1 }, response);
    uploads
      .read(request, uploader, expected, async ({ files }) => response.end(String(files[0]?.size)))
      .catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const slow = [];
  for (let n = 0; n < 10; n++) {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const request = startRequest({ port, method: "POST", headers }).on("error", () => {});
    const received = once(server, "request");
    request.write("--x\r\n");
    await received;
    slow.push(request);
  }
  try {
    const body = new FormData();
    body.set("file", new Blob(["hello"]), "a.txt");
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body });
    assert.equal(await response.text(), "5");
  } finally {
    for (const request of slow) request.destroy();
    server.close();
    server.closeAllConnections();
    await eventually(() => readdir(folder), []);
    await rm(folder, { recursive: true });
  }
});
