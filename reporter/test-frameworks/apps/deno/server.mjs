import process from "node:process";
import { fetchErrors, init } from "@signalbox/reporter/fetch";

init();
const handler = (request) => {
  if (request.url.endsWith("/ready")) return new Response("ready");
  throw new TypeError("fetch handler");
};
const options = { hostname: "127.0.0.1", port: Number(process.env.PORT) };
Deno.serve(options, fetchErrors(handler, { pattern: () => "/orders/:id" }));
