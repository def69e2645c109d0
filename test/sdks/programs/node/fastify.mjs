import * as Sentry from "@sentry/node";
import shop from "./shop.cjs";

Sentry.init(shop.options);
const { default: Fastify } = await import("fastify");

const app = Fastify();
Sentry.setupFastifyErrorHandler(app);
app.post("/orders/:id", async (request) => {
  shop.signIn(Sentry, request.headers["x-user"]);
  shop.placeOrder();
});
await app.listen({ port: 0, host: "127.0.0.1" });
for (const id of shop.canaries.users) await shop.request(app.server.address().port, id);
await shop.finish(Sentry);
