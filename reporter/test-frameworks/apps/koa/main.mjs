import { Readable } from "node:stream";
import { Router } from "@koa/router";
import { captureError, init } from "@signalbox/reporter";
import { koaErrors } from "@signalbox/reporter/koa";
import Koa from "koa";

init();
const app = new Koa();
const shop = new Router();
shop.get("/orders/:id", () => {
  throw new TypeError("handler");
});
shop.get("/exports/:id", (ctx) => {
  ctx.body = Readable.from(exportOrders());
});
shop.get("/caught/:id", (ctx) => {
  captureError(new TypeError("captureError"));
  ctx.body = "caught";
});
app.use(koaErrors());
app.use(shop.routes());
app.listen(Number(process.env.PORT), "127.0.0.1");

async function* exportOrders() {
  yield "first part";
  await new Promise((done) => setImmediate(done));
  throw new TypeError("after the headers");
}
