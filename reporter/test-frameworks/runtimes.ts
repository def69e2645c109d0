import { failed, type Framework, get, node, nothingKnown, route } from "./framework.ts";
import { bundleAndVisit } from "./pages.ts";
import { run, serve } from "./programs.ts";

/** Each maintained version of Node, and those before that the package supports. */
const nodes = [18, 20, 22, 24, 26].map((major): Framework => ({
  name: "Node",
  app: "node",
  folder: `node${major}`,
  packages: [`node-${process.platform}-${process.arch}@${major}`],
  versionOf: `node-${process.platform}-${process.arch}`,
  async trigger(place) {
    const binary = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
    for (const program of ["crash.mjs", "crash.cjs", "rejection.mjs", "exit.cjs", "thread.cjs", "server.mjs"])
      await run(place, binary, program).catch((error: unknown) => {
        if (!/exit code 1/.test(String(error))) throw error;
      });
  },
  expected: {
    "crash of an ES module": nothingKnown,
    "crash of CommonJS": nothingKnown,
    rejection: nothingKnown,
    "captureError before process.exit": nothingKnown,
    "worker thread": nothingKnown,
    "captureError in a request": { context: route({ method: "GET" }), framework: undefined },
  },
}));

export const runtimes: Framework[] = [
  ...nodes,
  {
    name: "Web worker",
    app: "worker",
    packages: [],
    versionOf: "@signalbox/reporter",
    trigger: (place) => bundleAndVisit(place, "main.mjs", async () => {}),
    expected: { captureError: nothingKnown, rejection: nothingKnown, uncaught: nothingKnown },
  },
  {
    name: "AWS Lambda",
    app: "lambda",
    packages: [],
    versionOf: "@signalbox/reporter",
    trigger: (place) => run(place, node, "invoke.mjs"),
    expected: {
      "invocation by an HTTP API": {
        context: route({ ...failed, pattern: "/orders/{id}" }),
        framework: "AWS Lambda",
      },
      "invocation by a queue": {
        context: { kind: "job", name: "shop", queue: "mail", attempt: 1 },
        framework: "AWS Lambda",
      },
    },
  },
  {
    name: "Cloudflare Workers",
    app: "workers",
    packages: ["miniflare", "esbuild"],
    versionOf: "workerd",
    async trigger(place) {
      await run(place, node, "main.mjs");
    },
    expected: {
      "fetch handler": { context: route({ ...failed }), framework: undefined },
      "background work": nothingKnown,
      "scheduled handler": { context: { kind: "job", name: "0 4 * * *" }, framework: undefined },
    },
  },
  {
    name: "Deno",
    app: "deno",
    packages: ["deno"],
    versionOf: "deno",
    async trigger(place) {
      await serve(place, ["npx", "deno", "run", "-A", "server.mjs"], (url) => get(`${url}/orders/42`));
      await run(place, "npx", "deno", "run", "-A", "script.mjs");
      await run(place, "npx", "deno", "run", "-A", "crash.mjs").catch(() => {});
    },
    expected: {
      "fetch handler": { context: route({ ...failed, pattern: "/orders/:id" }), framework: undefined },
      "script, with the package for Node": nothingKnown,
      "crash, with the package for Node": nothingKnown,
    },
  },
  {
    name: "Bun",
    app: "bun",
    packages: ["bun"],
    versionOf: "bun",
    async trigger(place) {
      await serve(place, ["npx", "bun", "server.mjs"], (url) => get(`${url}/orders/42`));
      await run(place, "npx", "bun", "crash.mjs").catch(() => {});
    },
    expected: {
      "fetch handler": { context: route({ ...failed, pattern: "/orders/:id" }), framework: undefined },
      "crash, with the package for Node": nothingKnown,
    },
  },
];
