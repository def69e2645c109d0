import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright-core";
import type { ErrorGroup } from "../../../src/shared/error-groups.ts";
import type { KeptEvent } from "../../../src/shared/kept-events.ts";
import { launchChromium } from "../../browser/chromium.ts";
import type { Client } from "../../support/client.ts";
import {
  BUNDLER_NAMES,
  bundleShop,
  installReporter,
  PLATFORMS,
  SENDERS,
  type Platform,
  type Sender,
} from "./bundle-shop.ts";
import { checkFrames } from "./check-frames.ts";
import { CLIENTS, installClients, type MapClient } from "./clients.ts";
import { crashInChromium, crashInNode } from "./crash-bundle.ts";
import { buildWithPlugin, PLUGINS } from "./plugins.ts";

export type MapServer = {
  url: string;
  projectId: number;
  /** An ingest key. */
  key: string;
  /** A token that may upload. */
  token: string;
  reader: Client;
};

type Check = (name: string, run: () => Promise<void>) => Promise<void>;

/**
 * Bundles a small shop, uploads its source maps with each client, and lets it fail in Chromium and in Node, with the reporter and
 * with Sentry's SDK. Does the same with each plugin that uploads while it bundles. `folder` contains the shop.
 */
export async function checkSourceMaps(folder: string, server: MapServer, check: Check): Promise<void> {
  try {
    await installClients(folder);
  } catch (error) {
    // A registry may be out of reach, which says nothing about the server.
    console.log(`skipped: the clients for source maps could not be installed: ${String(error)}`);
    return;
  }
  await installReporter(folder);
  await bundleShop(folder, path.join(folder, "built"));
  const browser = await launchChromium();
  try {
    for (const client of CLIENTS) await checkClient(client, { folder, browser, server, check });
    for (const plugin of PLUGINS) await checkPlugin(plugin, { folder, browser, server, check });
  } finally {
    await browser.close();
  }
}

type Checking = { folder: string; browser: Browser; server: MapServer; check: Check };

async function checkClient(client: MapClient, checking: Checking) {
  const { folder, server, check } = checking;
  const id = client.name.replace(/\W+/g, "-");
  const release = `shop@${id}`;
  const dist = path.join(folder, id);
  await cp(path.join(folder, "built"), dist, { recursive: true });
  await check(`Source maps, upload by ${client.name}`, () =>
    client.upload({ ...server, installed: folder, dist, project: String(server.projectId), release }),
  );
  for (const bundler of BUNDLER_NAMES)
    for (const platform of PLATFORMS)
      for (const sender of SENDERS)
        await check(`Source maps, ${client.name} × ${bundler}: ${platform}, ${sender}`, () => {
          const environment = `${id}-${bundler}-${platform}-${sender}`;
          const file = path.join(dist, bundler, `${platform}-${sender}`, "app.mjs");
          return checkCrash({ root: dist, file, platform, sender, environment, release }, checking);
        });
}

async function checkPlugin({ name, platform, sender }: (typeof PLUGINS)[number], checking: Checking) {
  const { folder, server, check } = checking;
  const environment = path.basename(name);
  const release = `shop@${environment}`;
  const dist = path.join(folder, environment);
  await check(`Source maps, ${name}: ${platform}, ${sender}`, async () => {
    const entry = path.join(folder, `${platform}-${sender}.js`);
    const { url, token, projectId } = server;
    await buildWithPlugin(folder, {
      plugin: name,
      entry,
      dist,
      url,
      token,
      project: String(projectId),
      release,
    });
    const file = path.join(dist, "app.mjs");
    await checkCrash({ root: dist, file, platform, sender, environment, release }, checking);
  });
}

type Crash = {
  root: string;
  file: string;
  platform: Platform;
  sender: Sender;
  environment: string;
  release: string;
};

async function checkCrash(
  { root, file, platform, sender, environment, release }: Crash,
  { browser, server }: Checking,
) {
  const { url, projectId, key } = server;
  const to =
    sender === "reporter"
      ? { url, project: projectId, key }
      : { dsn: `${url.replace("://", `://${key}@`)}/${projectId}` };
  const settings = { ...to, environment, release };
  await (platform === "node"
    ? crashInNode(file, settings)
    : crashInChromium(browser, { root, file, settings }));
  checkFrames(await onlyEvent(server, environment));
}

async function onlyEvent({ reader, projectId }: MapServer, environment: string): Promise<KeptEvent> {
  const groups = `/api/projects/${projectId}/error-groups`;
  const listed = (await reader.get(`${groups}?environment=${environment}`)).body.data as ErrorGroup[];
  assert.equal(
    listed.length,
    1,
    `groups: ${JSON.stringify(listed.map(({ latest_message }) => latest_message))}`,
  );
  return (await reader.get(`${groups}/${listed[0]?.id}/events/latest`)).body as KeptEvent;
}
