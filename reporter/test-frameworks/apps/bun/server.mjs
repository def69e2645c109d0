import { fetchErrors, init } from "@signalbox/reporter/fetch";

init();
const handler = (request) => {
  if (request.url.endsWith("/ready")) return new Response("ready");
  throw new TypeError("fetch handler");
};
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  fetch: fetchErrors(handler, { pattern: () => "/orders/:id" }),
});
