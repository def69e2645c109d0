import { failed, type Framework, get, node, route } from "./framework.ts";
import { serve } from "./programs.ts";

/** Frameworks whose applications in apps/ have the same three routes. */
const known: [name: string, app: string, packages: [string, ...string[]], folder?: string][] = [
  ["Express", "express", ["express"]],
  ["Express", "express", ["express@4"], "express4"],
  ["Fastify", "fastify", ["fastify"]],
  ["Koa", "koa", ["koa", "@koa/router"]],
  ["Hono", "hono", ["hono", "@hono/node-server"]],
];

export const servers: Framework[] = known.map(([name, app, packages, folder = app]) => ({
  name,
  app,
  folder,
  packages,
  versionOf: packages[0].replace(/(?<=.)@.*/, ""),
  trigger: (place) =>
    serve(place, [node, "main.mjs"], async (url) => {
      for (const path of ["orders/42", "exports/42", "caught/42", "missing"]) await get(`${url}/${path}`);
    }),
  expected: {
    handler: { context: route({ ...failed, pattern: "/orders/:id" }), framework: name },
    "after the headers": { context: route({ ...failed, pattern: "/exports/:id" }), framework: name },
    captureError: { context: route({ method: "GET", pattern: "/caught/:id" }), framework: name },
  },
}));
