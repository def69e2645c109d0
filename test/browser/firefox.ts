import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { waitUntil } from "../support/eventually.ts";
import { connectBidi, type Bidi } from "./bidi.ts";
import { keyActions, type EnginePage } from "./engine-page.ts";

/** Debian's Firefox, driven over WebDriver BiDi: Playwright itself drives only a Firefox of its own. */
const FIREFOX = "firefox-esr";

export const hasFirefox = spawnSync(FIREFOX, ["--version"]).status === 0;

export type FirefoxPage = Omit<EnginePage, "click"> & {
  /** Waits for an element with exactly this accessible name. */
  find(role: string, name: string): Promise<Element>;
  click(role: string, name: string): Promise<void>;
  /** Clicks on the element of an expression. */
  clickOn(expression: string): Promise<void>;
  path(): Promise<string>;
  /** Uncaught errors of the page so far. */
  errors(): string[];
};

type Element = { sharedId: string };

export async function startFirefox({ blocksCookies = false } = {}): Promise<{
  page: FirefoxPage;
  close(): Promise<void>;
}> {
  const profile = await mkdtemp(path.join(tmpdir(), "signalbox-firefox-"));
  // Blocks other storage, too.
  if (blocksCookies)
    await writeFile(path.join(profile, "user.js"), 'user_pref("network.cookie.cookieBehavior", 2);\n');
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
  const evaluateInPage = async <Result>(expression: string) => {
    const { result } = await bidi.send<{ result: Result }>("script.evaluate", {
      expression,
      target: { context },
      awaitPromise: false,
    });
    return result;
  };
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { value } = await evaluateInPage<{ value?: string }>(`JSON.stringify(${expression})`);
    return (value === undefined ? undefined : JSON.parse(value)) as T;
  };
  const findElement = async (expression: string): Promise<Element> => {
    let element: Partial<Element> = {};
    const isFound = async () =>
      (element = await evaluateInPage<Partial<Element>>(expression)).sharedId !== undefined;
    await waitUntil(isFound, `no element for ${expression}`);
    return { sharedId: String(element.sharedId) };
  };
  const clickOn = ({ sharedId }: Element) => {
    const origin = { type: "element", element: { sharedId } };
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    return perform({ type: "pointer", id: "mouse", actions });
  };
  return {
    goto: (url) => bidi.send("browsingContext.navigate", { context, url, wait: "complete" }),
    find,
    evaluate,
    click: async (role, name) => clickOn(await find(role, name)),
    clickOn: async (expression) => clickOn(await findElement(expression)),
    setFile: async (expression, file) =>
      bidi.send("input.setFiles", { context, element: await findElement(expression), files: [file] }),
    press: (...keys) => press(keys),
    type: (text) => press(text.split("")),
    path: () => evaluate("location.pathname"),
    errors: () => errors,
  };
}
