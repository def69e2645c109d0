import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../../../test/support/error-events.ts";
import { makeIngestKey, makeProject, makeWorkspace } from "../../../test/support/make.ts";
import { eventEnvelope } from "../../../test/support/sentry.ts";
import { openAppOn, useTestApp } from "../../../test/support/test-app.ts";
import { BusyAddresses } from "./busy-addresses.ts";

const LIMIT = 20;
const RESERVE = 2;
const settings = { LIMIT_INGEST: String(LIMIT), TRUST_PROXY: "127.0.0.1" };
const t = await useTestApp(settings);
const { id: workspaceId } = await makeWorkspace(t.db);
const port = await t.app.listen({ port: 0, host: "127.0.0.1" });

const envelope = eventEnvelope({
  exception: { values: [{ type: "PaymentFailed", value: "Card declined" }] },
});

type Send = (key: string, address: string, base?: string) => Promise<Response>;

/** Sends an event with the key, as if from the address, and expects the status of success. */
const routes = (projectId: number): { send: Send; ok: number }[] => [
  {
    ok: 200,
    send: (key, address, base = port) =>
      fetch(`${base}/api/${projectId}/envelope/?sentry_key=${key}`, {
        method: "POST",
        headers: { "x-forwarded-for": address },
        body: envelope as Uint8Array<ArrayBuffer>,
      }),
  },
  {
    ok: 202,
    send: (key, address, base = port) =>
      fetch(`${base}/api/projects/${projectId}/error-events`, {
        method: "POST",
        headers: {
          "x-forwarded-for": address,
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(anEvent()),
      }),
  },
];

async function statusesOf(count: number, send: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await send()).status);
  return statuses;
}

const countOf = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

test("after a flood from one address, a key accepts a tenth of its limit from other addresses", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  for (const { send, ok } of routes(id)) {
    const key = await makeIngestKey(t.db, id);
    const flood = await statusesOf(LIMIT + 10, () => send(key, "192.0.2.1"));
    assert.deepEqual([countOf(flood, ok), countOf(flood, 429)], [LIMIT, 10]);
    assert.deepEqual(await statusesOf(1, () => send(key, "192.0.2.2")), [ok]);
    assert.deepEqual(await statusesOf(2, () => send(key, "192.0.2.1")), [429, 429]);
    assert.deepEqual(await statusesOf(2, () => send(key, "192.0.2.3")), [ok, 429]);
  }
});

test("a flood with one key leaves the other keys of the project their whole limit", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  for (const { send, ok } of routes(id)) {
    const [one, other] = [await makeIngestKey(t.db, id), await makeIngestKey(t.db, id)];
    await statusesOf(LIMIT + 1, () => send(one, "192.0.2.1"));
    assert.equal(countOf(await statusesOf(LIMIT, () => send(other, "192.0.2.1")), ok), LIMIT);
  }
});

test("an address that sent a tenth of the limit before it was exhausted gets nothing of the reserve", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  for (const { send, ok } of routes(id)) {
    const key = await makeIngestKey(t.db, id);
    await statusesOf(RESERVE, () => send(key, "192.0.2.2"));
    await statusesOf(LIMIT, () => send(key, "192.0.2.1"));
    assert.equal((await send(key, "192.0.2.2")).status, 429);
    assert.equal((await send(key, "192.0.2.3")).status, ok);
  }
});

test("two servers together accept the limit and the reserve, from any number of addresses", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const second = await openAppOn(t.database.url, settings);
  try {
    const bases = [port, await second.app.listen({ port: 0, host: "127.0.0.1" })];
    for (const { send, ok } of routes(id)) {
      const key = await makeIngestKey(t.db, id);
      const answers = await Promise.all(
        Array.from({ length: 4 * LIMIT }, (_, n) => send(key, `198.51.100.${n}`, bases[n % 2])),
      );
      assert.equal(
        countOf(
          answers.map(({ status }) => status),
          ok,
        ),
        LIMIT + RESERVE,
      );
    }
  } finally {
    await second.close();
  }
});

test("an address that keeps sending stays busy when a minute ends, and is forgotten after two quiet ones", () => {
  const addresses = new BusyAddresses();
  for (let n = 0; n < 30; n++) assert.equal(addresses.add(1, "192.0.2.1", n), n);
  assert.equal(addresses.add(1, "192.0.2.2", 40), 0);
  assert.equal(addresses.add(2, "192.0.2.1", 50), 0);
  assert.equal(addresses.add(1, "192.0.2.1", 60_001), 30);
  assert.equal(addresses.add(1, "192.0.2.1", 119_000), 31);
  assert.equal(addresses.add(1, "192.0.2.1", 300_000), 0);
});
