/* Express 5 and 4. Run `node reporter/examples/express.mjs` with the environment variables in crash.mjs. */
import { once } from "node:events";
import { flush, init } from "@signalbox/reporter";
import { expressErrors } from "@signalbox/reporter/express";
import express from "express";

init({ userHashSecret: process.env.USER_HASH_SECRET ?? "example secret" });

const app = express();
const shop = express.Router();
shop.get("/orders/:id", async (request) => {
  throw new RangeError(`Order ${request.params.id} has no lines`);
});
app.use("/shop", shop);
app.use(expressErrors({ userId: (request) => request.headers["x-user"] }));
app.use((error, request, response, next) => {
  if (response.headersSent) next(error);
  else response.status(500).send("Sorry.\n");
});

const server = app.listen(0);
await once(server, "listening");
const url = `http://localhost:${server.address().port}/shop/orders/1042?token=secret`;
const response = await fetch(url, { headers: { "x-user": "42" } });
console.log(response.status, await response.text());
await flush();
server.close();
