import type { Page } from "playwright-core";
import type { Context } from "../src/core/event.ts";
import type { Place } from "./programs.ts";

export interface Expected {
  context: Context | undefined;
  framework: string | undefined;
}

export interface Framework {
  name: string;
  /** The application in apps/. */
  app: string;
  /** Where it is installed, if that is not named like the application. */
  folder?: string;
  /** Installed in their newest versions, or with `@` in this version. */
  packages: string[];
  /** The package whose version the table shows. */
  versionOf: string;
  /** Builds and runs the application, and lets each part fail with its name as the message. */
  trigger: (place: Place) => Promise<void>;
  /** What arrives, by message. Nothing else may. */
  expected: Record<string, Expected>;
}

export const node = process.execPath;
export const route = (more: object): Context => ({ kind: "route", ...more });
export const failed = { method: "GET", response_status: 500 };
export const nothingKnown: Expected = { context: undefined, framework: undefined };

/** Sends a request. The response may fail, too. */
export async function get(url: string): Promise<void> {
  await (await fetch(url)).text().catch(() => {});
}

export async function click(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}
