import { serve } from "@hono/node-server";
import { captureError, init } from "@signalbox/reporter";
import { honoErrors, honoStreamErrors } from "@signalbox/reporter/hono";
import { Hono } from "hono";
import { stream } from "hono/streaming";

init();
const app = new Hono();
app.use(honoErrors());
app.get("/orders/:id", () => {
  throw new TypeError("handler");
});
app.get("/exports/:id", (c) => stream(c, exportOrders, honoStreamErrors(c)));
app.get("/caught/:id", (c) => {
  captureError(new TypeError("captureError"));
  return c.text("caught");
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });

async function exportOrders(output) {
  await output.write("first part");
  throw new TypeError("after the headers");
}
