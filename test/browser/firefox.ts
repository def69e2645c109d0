import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { waitUntil } from "../support/eventually.ts";
import { connectBidi, type Bidi } from "./bidi.ts";

/** Debian's Firefox, driven over WebDriver BiDi: Playwright itself drives only a Firefox of its own. */
const FIREFOX = "firefox-esr";

export const hasFirefox = spawnSync(FIREFOX, ["--version"]).status === 0;

export type FirefoxPage = {
  goto(url: string): Promise<void>;
  /** Waits for an element with exactly this accessible name. */
  find(role: string, name: string): Promise<Element>;
  click(role: string, name: string): Promise<void>;
  /** Keys are pressed one after another; `Control+b` is a combination. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  path(): Promise<string>;
  /** Uncaught errors of the page so far. */
  errors(): string[];
};

type Element = { sharedId: string };

export async function startFirefox(): Promise<{ page: FirefoxPage; close(): Promise<void> }> {
  const profile = await mkdtemp(path.join(tmpdir(), "signalbox-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"];
  const child = spawn(FIREFOX, args, { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const address = () => /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
  await waitUntil(() => address() !== undefined, "Firefox does not start");
  const bidi = await connectBidi(`${address()}/session`);
  return {
    page: await openPage(bidi),
    close: async () => {
      const ended = once(child, "exit");
      await bidi.send("browser.close");
      bidi.close();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openPage(bidi: Bidi): Promise<FirefoxPage> {
  const errors: string[] = [];
  bidi.onEvent("log.entryAdded", (entry) => {
    if (entry["type"] === "javascript" && entry["level"] === "error") errors.push(String(entry["text"]));
  });
  await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
  const { context } = await bidi.send<{ context: string }>("browsingContext.create", { type: "tab" });
  await bidi.send("browsingContext.setViewport", { context, viewport: { width: 1280, height: 800 } });

  const locate = async (role: string, name: string): Promise<Element | undefined> => {
    const locator = { type: "accessibility", value: { role, name } };
    const { nodes } = await bidi.send<{ nodes: Element[] }>("browsingContext.locateNodes", {
      context,
      locator,
    });
    return nodes[0];
  };
  const find = async (role: string, name: string): Promise<Element> => {
    let found: Element | undefined;
    await waitUntil(async () => (found = await locate(role, name)) !== undefined, `no ${role} "${name}"`);
    assert.ok(found);
    return found;
  };
  const perform = (source: object) => bidi.send("input.performActions", { context, actions: [source] });
  const press = (keys: string[]) =>
    perform({ type: "key", id: "keyboard", actions: keys.flatMap(keyActions) });
  const evaluate = async (expression: string) => {
    const { result } = await bidi.send<{ result: { value: string } }>("script.evaluate", {
      expression,
      target: { context },
      awaitPromise: false,
    });
    return result.value;
  };
  return {
    goto: (url) => bidi.send("browsingContext.navigate", { context, url, wait: "complete" }),
    find,
    click: async (role, name) => {
      const origin = { type: "element", element: { sharedId: (await find(role, name)).sharedId } };
      const actions = [
        { type: "pointerMove", x: 0, y: 0, origin },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await perform({ type: "pointer", id: "mouse", actions });
    },
    press: (...keys) => press(keys),
    type: (text) => press(text.split("")),
    path: () => evaluate("location.pathname"),
    errors: () => errors,
  };
}

/** From the WebDriver specification. */
const NAMED_KEYS: Record<string, string> = {
  Control: "\uE009",
  Shift: "\uE008",
  Alt: "\uE00A",
  Enter: "\uE007",
  Tab: "\uE004",
  Escape: "\uE00C",
  Space: " ",
  ArrowRight: "\uE014",
};

function keyActions(combination: string): object[] {
  const keys = combination === "+" ? ["+"] : combination.split("+");
  const values = keys.map((key) => NAMED_KEYS[key] ?? key);
  return [
    ...values.map((value) => ({ type: "keyDown", value })),
    ...values.toReversed().map((value) => ({ type: "keyUp", value })),
  ];
}
