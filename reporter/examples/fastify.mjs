/* Fastify 5. Run `node reporter/examples/fastify.mjs` with the environment variables in crash.mjs. */
import { flush, init } from "@signalbox/reporter";
import { fastifyErrors } from "@signalbox/reporter/fastify";
import Fastify from "fastify";

init();

const app = Fastify();
app.register(fastifyErrors());
app.register(
  async (shop) => {
    shop.get("/orders/:id", async (request) => {
      throw new RangeError(`Order ${request.params.id} has no lines`);
    });
  },
  { prefix: "/shop" },
);

const url = await app.listen({ port: 0 });
const response = await fetch(`${url}/shop/orders/1042?token=secret`);
console.log(response.status, await response.text());
await flush();
await app.close();
