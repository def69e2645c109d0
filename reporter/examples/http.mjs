/*
 * node:http. Run `node reporter/examples/http.mjs` with the environment variables in crash.mjs. The error ends the
 * program, as it would without the reporter.
 */
import { createServer } from "node:http";
import { init } from "@signalbox/reporter";
import { httpErrors } from "@signalbox/reporter/http";

init();

const routes = [{ pattern: "/orders/:id", matches: /^\/orders\/(\d+)/ }];
const routeOf = (request) => routes.find((route) => route.matches.test(request.url));

const server = createServer(
  httpErrors(
    async (request) => {
      const [, id] = routeOf(request).matches.exec(request.url);
      throw new RangeError(`Order ${id} has no lines`);
    },
    { pattern: (request) => routeOf(request)?.pattern },
  ),
);
server.listen(0, () => {
  fetch(`http://localhost:${server.address().port}/orders/1042?token=secret`).catch(() => {});
});
