import { click, failed, type Framework, get, node, nothingKnown, route } from "./framework.ts";
import { bundleAndVisit, visit } from "./pages.ts";
import { type Place, run, serve } from "./programs.ts";
import { runtimes } from "./runtimes.ts";
import { servers } from "./servers.ts";

export const frameworks: Framework[] = [
  ...servers,
  {
    name: "NestJS",
    app: "nestjs",
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
    app: "nextjs",
    packages: ["next", "react", "react-dom", "typescript", "@types/react", "@types/node"],
    versionOf: "next",
    async trigger(place: Place) {
      await run(place, "npx", "next", "build", `--${bundler.toLowerCase()}`);
      await serve(place, ["npx", "next", "start"], async (url) => {
        for (const path of ["orders/42", "api/orders/42", "edge/42", "blocked"]) await get(`${url}/${path}`);
        await visit(`${url}/client`, place, async (page) => {
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
      "event handler": nothingKnown,
      "client component": nothingKnown,
    },
  })),
  {
    name: "React",
    app: "react",
    packages: ["react", "react-dom"],
    versionOf: "react",
    trigger: (place) =>
      bundleAndVisit(place, "main.jsx", async (page) => {
        for (const name of ["handler", "boundary", "caught", "uncaught"]) await click(page, name);
      }),
    expected: {
      "event handler": nothingKnown,
      "ErrorBoundary of the reporter": { context: undefined, framework: "React" },
      "caught by a boundary of the application": { context: undefined, framework: "React" },
      uncaught: { context: undefined, framework: "React" },
    },
  },
  {
    name: "Vue",
    app: "vue",
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
    app: "nuxt",
    packages: ["nuxt", "vue", "vue-router"],
    versionOf: "nuxt",
    async trigger(place) {
      await run(place, "npx", "nuxt", "build");
      await serve(place, [node, ".output/server/index.mjs"], async (url) => {
        for (const path of ["orders/42", "api/orders/42", "api/gone"]) await get(`${url}/${path}`);
        await visit(`${url}/client`, place, (page) => click(page, "handler"));
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
    app: "sveltekit",
    packages: ["svelte", "@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "@sveltejs/adapter-node", "vite"],
    versionOf: "@sveltejs/kit",
    async trigger(place) {
      await run(place, "npx", "vite", "build");
      await serve(place, [node, "build/index.js"], async (url) => {
        for (const path of ["orders/42", "api/orders/42", "missing"]) await get(`${url}/${path}`);
        await visit(`${url}/client`, place, async (page) => {
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
      "event handler": nothingKnown,
      "load in the browser": { context: route({ pattern: "/broken/[id]" }), framework: "SvelteKit" },
    },
  },
  ...runtimes,
];
