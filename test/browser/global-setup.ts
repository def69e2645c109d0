import type { BrowserServer } from "playwright-core";
import * as postgres from "../support/postgres.ts";
import { shareChromium } from "./chromium.ts";

/** One PostgreSQL and one Chromium for a run of browser tests (`--test-global-setup`). */

let chromium: BrowserServer | undefined;

export async function globalSetup(): Promise<void> {
  [chromium] = await Promise.all([shareChromium(), postgres.globalSetup()]);
}

export async function globalTeardown(): Promise<void> {
  await Promise.all([chromium?.close(), postgres.globalTeardown()]);
}
