import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { waitUntil } from "../support/eventually.ts";
import { keyActions, type EnginePage } from "./engine-page.ts";

/** Debian's WebKitGTK with its WebDriver, in a display of its own: it cannot run without one. */
const DRIVER = "WebKitWebDriver";
const BROWSER = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
const DISPLAY = "Xvfb";

const isInstalled = (program: string) => spawnSync("which", [program]).status === 0;

export const hasWebKit = existsSync(BROWSER) && isInstalled(DRIVER) && isInstalled(DISPLAY);

/** An element in WebDriver's JSON. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

type ElementReference = { [ELEMENT]: string };

/** Starts a browser that blocks cookies. */
export async function startWebKit(): Promise<{ page: EnginePage; close(): Promise<void> }> {
  const screen = spawn(DISPLAY, ["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [display] = (await once(screen.stdout.setEncoding("utf8"), "data")) as [string];
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${display.trim()}`, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1" },
    stdio: "ignore",
  });
  const send = async <Result = void>(method: string, path: string, body?: object): Promise<Result> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      () => true,
      () => false,
    );
  await waitUntil(isListening, `${DRIVER} does not start`);
  const { sessionId } = await send<{ sessionId: string }>("POST", "", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: BROWSER, args: ARGUMENTS } } },
  });
  return {
    page: openPage((method, path, body) => send(method, `/${sessionId}${path}`, body)),
    close: async () => {
      await send("DELETE", `/${sessionId}`);
      for (const child of [driver, screen]) {
        const ended = once(child, "exit");
        child.kill();
        await ended;
      }
    },
  };
}

const ARGUMENTS = ["--automation", "--cookies-policy=never"];

type Send = <Result = void>(method: string, path: string, body?: object) => Promise<Result>;

function openPage(send: Send): EnginePage {
  const evaluate = <T>(expression: string) =>
    send<T>("POST", "/execute/sync", { script: `return ${expression}`, args: [] });
  const find = async (expression: string): Promise<string> => {
    let element: ElementReference | null = null;
    const isFound = async () => (element = await evaluate<ElementReference | null>(expression)) !== null;
    await waitUntil(isFound, `no element for ${expression}`);
    return (element as unknown as ElementReference)[ELEMENT];
  };
  const press = (keys: string[]) =>
    send("POST", "/actions", {
      actions: [{ type: "key", id: "keyboard", actions: keys.flatMap(keyActions) }],
    });
  return {
    goto: (url) => send("POST", "/url", { url }),
    evaluate,
    click: async (expression) => send("POST", `/element/${await find(expression)}/click`, {}),
    press: (...keys) => press(keys),
    type: (text) => press(text.split("")),
    setFile: async (expression, file) =>
      send("POST", `/element/${await find(expression)}/value`, { text: file }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
