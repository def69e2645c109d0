/* Hono on Node. Run `node reporter/examples/hono.mjs` with the environment variables in crash.mjs. */
import { once } from "node:events";
import { serve } from "@hono/node-server";
import { flush, init } from "@signalbox/reporter";
import { honoErrors } from "@signalbox/reporter/hono";
import { Hono } from "hono";

init();

const shop = new Hono();
shop.get("/orders/:id", (c) => {
  throw new RangeError(`Order ${c.req.param("id")} has no lines`);
});
const app = new Hono();
app.use(honoErrors());
app.route("/shop", shop);

const server = serve({ fetch: app.fetch, port: 0 });
await once(server, "listening");
const response = await fetch(`http://localhost:${server.address().port}/shop/orders/1042?token=secret`);
console.log(response.status, await response.text());
await flush();
server.close();
