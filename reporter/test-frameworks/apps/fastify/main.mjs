import { Readable } from "node:stream";
import { captureError, init } from "@signalbox/reporter";
import { fastifyErrors } from "@signalbox/reporter/fastify";
import Fastify from "fastify";

init();
const app = Fastify();
app.register(fastifyErrors());
app.register(async (shop) => {
  shop.get("/orders/:id", async () => {
    throw new TypeError("handler");
  });
  shop.get("/exports/:id", (_request, reply) => reply.send(Readable.from(exportOrders())));
  shop.get("/caught/:id", async () => {
    captureError(new TypeError("captureError"));
    return "caught";
  });
});
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });

async function* exportOrders() {
  yield "first part";
  await new Promise((done) => setImmediate(done));
  throw new TypeError("after the headers");
}
