/* Koa with @koa/router. Run `node reporter/examples/koa.mjs` with the environment variables in crash.mjs. */
import { once } from "node:events";
import { Router } from "@koa/router";
import { flush, init } from "@signalbox/reporter";
import { koaErrors } from "@signalbox/reporter/koa";
import Koa from "koa";

init();

const app = new Koa();
const shop = new Router({ prefix: "/shop" });
shop.get("/orders/:id", (ctx) => {
  throw new RangeError(`Order ${ctx.params.id} has no lines`);
});
app.use(koaErrors());
app.use(shop.routes());

const server = app.listen(0);
await once(server, "listening");
const response = await fetch(`http://localhost:${server.address().port}/shop/orders/1042?token=secret`);
console.log(response.status, await response.text());
await flush();
server.close();
