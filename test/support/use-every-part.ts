import assert from "node:assert/strict";
import { anEvent } from "./error-events.ts";
import { eventually } from "./eventually.ts";
import { png } from "./images.ts";
import { install } from "./over-http.ts";

/** Uses what a packaged server could lack: its workers, the process that converts images, its packages and the web app. */
export async function useEveryPart(url: string): Promise<void> {
  const { projectId, token } = await install(url);
  const authorization = `Bearer ${token}`;
  const project = `${url}/api/projects/${projectId}`;

  // Read in a worker thread.
  const event = JSON.stringify(anEvent({ ignored: "x".repeat(600_000) }));
  const headers = { authorization, "content-type": "application/json" };
  const stored = await fetch(`${project}/error-events`, { method: "POST", headers, body: event });
  assert.equal(stored.status, 202);

  // Converted in a separate process.
  const form = new FormData();
  form.set("title", "With a picture");
  form.set("description", "See *picture*");
  form.set("files[0]", new Blob([new Uint8Array(await png())]), "a.png");
  const report = await fetch(`${project}/reports`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  assert.equal(report.status, 201, await report.text());

  const document = await fetch(`${url}/api/openapi.json`);
  assert.equal(document.status, 200);
  await eventually(async () => (await fetch(`${url}/api/ready`)).status, 200);
}
