import type { Page } from "playwright-core";
import type { Context } from "../src/core/event.ts";
import { bundleAndVisit, visit } from "./pages.ts";
import { type Place, run, serve } from "./programs.ts";

export interface Expected {
  context: Context | undefined;
  framework: string | undefined;
}

export interface Framework {
  name: string;
  /** In apps/. */
  folder: string;
  /** Installed in their newest versions. */
  packages: string[];
  /** The package whose version the table shows. */
  versionOf: string;
  /** Builds and runs the application, and lets each part fail with its name as the message. */
  trigger: (place: Place) => Promise<void>;
  /** What arrives, by message. Nothing else may. */
  expected: Record<string, Expected>;
}

const node = process.execPath;
const route = (more: object): Context => ({ kind: "route", ...more });
const failed = { method: "GET", response_status: 500 };
const get = async (url: string) => void (await (await fetch(url)).text());
const click = async (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

export const frameworks: Framework[] = [
  {
    name: "NestJS",
    folder: "nestjs",
    packages: [
      "@nestjs/core",
      "@nestjs/common",
      "@nestjs/platform-express",
      "@nestjs/platform-fastify",
      "rxjs",
      "reflect-metadata",
      "typescript",
      "@types/node",
    ],
    versionOf: "@nestjs/core",
    async trigger(place) {
      await run(place, "npx", "tsc", "-p", ".");
      for (const adapter of ["express", "fastify"]) {
        const withAdapter = { ...place, env: { ...place.env, ADAPTER: adapter } };
        await serve(withAdapter, [node, "dist/main.js"], async (url) => {
          for (const path of ["42", "guarded", "missing", "middleware"]) await get(`${url}/orders/${path}`);
        });
      }
    },
    expected: Object.fromEntries(
      ["express", "fastify"].flatMap((adapter) => [
        [
          `handler, ${adapter}`,
          {
            context: route({ ...failed, pattern: "/orders/:id", action: "OrdersController.show" }),
            framework: "NestJS",
          },
        ],
        [
          `guard, ${adapter}`,
          { context: route({ ...failed, pattern: "/orders/guarded" }), framework: "NestJS" },
        ],
      ]),
    ),
  },
  ...["Turbopack", "webpack"].map((bundler) => ({
    name: `Next.js, ${bundler}`,
    folder: "nextjs",
    packages: ["next", "react", "react-dom", "typescript", "@types/react", "@types/node"],
    versionOf: "next",
    async trigger(place: Place) {
      await run(place, "npx", "next", "build", `--${bundler.toLowerCase()}`);
      await serve(place, ["npx", "next", "start"], async (url) => {
        for (const path of ["orders/42", "api/orders/42", "edge/42", "blocked"]) await get(`${url}/${path}`);
        await visit(`${url}/client`, async (page) => {
          await click(page, "handler");
          await click(page, "render");
          await page.getByText("Something went wrong").waitFor();
        });
      });
    },
    expected: {
      "server component": {
        context: route({ ...failed, pattern: "/orders/[id]", action: "render" }),
        framework: "Next.js",
      },
      "route handler": {
        context: route({ ...failed, pattern: "/api/orders/[id]", action: "route" }),
        framework: "Next.js",
      },
      "edge route handler": {
        context: route({ ...failed, pattern: "/edge/[id]", action: "route" }),
        framework: "Next.js",
      },
      "proxy, with captureError": {
        context: route({ method: "GET", action: "proxy" }),
        framework: "Next.js",
      },
      "event handler": { context: undefined, framework: undefined },
      "client component": { context: undefined, framework: undefined },
    },
  })),
  {
    name: "React",
    folder: "react",
    packages: ["react", "react-dom"],
    versionOf: "react",
    trigger: (place) =>
      bundleAndVisit(place, "main.jsx", async (page) => {
        for (const name of ["handler", "boundary", "caught", "uncaught"]) await click(page, name);
      }),
    expected: {
      "event handler": { context: undefined, framework: undefined },
      "ErrorBoundary of the reporter": { context: undefined, framework: "React" },
      "caught by a boundary of the application": { context: undefined, framework: "React" },
      uncaught: { context: undefined, framework: "React" },
    },
  },
  {
    name: "Vue",
    folder: "vue",
    packages: ["vue", "vue-router"],
    versionOf: "vue",
    trigger: (place) =>
      bundleAndVisit(place, "main.js", async (page) => {
        for (const name of ["handler", "render"]) await click(page, name);
      }),
    expected: {
      "event handler": { context: route({ pattern: "/orders/:id" }), framework: "Vue" },
      render: { context: route({ pattern: "/orders/:id" }), framework: "Vue" },
    },
  },
  {
    name: "Nuxt",
    folder: "nuxt",
    packages: ["nuxt", "vue", "vue-router"],
    versionOf: "nuxt",
    async trigger(place) {
      await run(place, "npx", "nuxt", "build");
      await serve(place, [node, ".output/server/index.mjs"], async (url) => {
        for (const path of ["orders/42", "api/orders/42", "api/gone"]) await get(`${url}/${path}`);
        await visit(`${url}/client`, (page) => click(page, "handler"));
      });
    },
    expected: {
      "page on the server": { context: route({ pattern: "/orders/:id" }), framework: "Nuxt" },
      "API route": { context: route({ ...failed, pattern: "/api/orders/:id" }), framework: "Nuxt" },
      "event handler": { context: route({ pattern: "/client" }), framework: "Nuxt" },
    },
  },
  {
    name: "SvelteKit",
    folder: "sveltekit",
    packages: ["svelte", "@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "@sveltejs/adapter-node", "vite"],
    versionOf: "@sveltejs/kit",
    async trigger(place) {
      await run(place, "npx", "vite", "build");
      await serve(place, [node, "build/index.js"], async (url) => {
        for (const path of ["orders/42", "api/orders/42", "missing"]) await get(`${url}/${path}`);
        await visit(`${url}/client`, async (page) => {
          await click(page, "handler");
          await click(page, "navigate");
          await page.getByText("Internal Error").waitFor();
        });
      });
    },
    expected: {
      "load on the server": {
        context: route({ ...failed, pattern: "/orders/[id]" }),
        framework: "SvelteKit",
      },
      endpoint: { context: route({ ...failed, pattern: "/api/orders/[id]" }), framework: "SvelteKit" },
      "event handler": { context: undefined, framework: undefined },
      "load in the browser": { context: route({ pattern: "/broken/[id]" }), framework: "SvelteKit" },
    },
  },
  {
    name: "AWS Lambda",
    folder: "lambda",
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
    folder: "workers",
    packages: ["miniflare", "esbuild"],
    versionOf: "workerd",
    async trigger(place) {
      await run(place, node, "main.mjs");
    },
    expected: {
      "fetch handler": { context: route({ ...failed }), framework: undefined },
      "background work": { context: undefined, framework: undefined },
      "scheduled handler": { context: { kind: "job", name: "0 4 * * *" }, framework: undefined },
    },
  },
  {
    name: "Deno",
    folder: "deno",
    packages: ["deno"],
    versionOf: "deno",
    async trigger(place) {
      await serve(place, ["npx", "deno", "run", "-A", "server.mjs"], (url) => get(`${url}/orders/42`));
      await run(place, "npx", "deno", "run", "-A", "script.mjs");
      await run(place, "npx", "deno", "run", "-A", "crash.mjs").catch(() => {});
    },
    expected: {
      "fetch handler": { context: route({ ...failed, pattern: "/orders/:id" }), framework: undefined },
      "script, with the package for Node": { context: undefined, framework: undefined },
      "crash, with the package for Node": { context: undefined, framework: undefined },
    },
  },
  {
    name: "Bun",
    folder: "bun",
    packages: ["bun"],
    versionOf: "bun",
    async trigger(place) {
      await serve(place, ["npx", "bun", "server.mjs"], (url) => get(`${url}/orders/42`));
      await run(place, "npx", "bun", "crash.mjs").catch(() => {});
    },
    expected: {
      "fetch handler": { context: route({ ...failed, pattern: "/orders/:id" }), framework: undefined },
      "crash, with the package for Node": { context: undefined, framework: undefined },
    },
  },
];
