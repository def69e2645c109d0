import { createServer } from "node:http";
import { captureError, flush, init, setTag } from "@signalbox/reporter";

init();
const server = createServer(async (request, response) => {
  setTag("order", "17");
  await new Promise((done) => setImmediate(done));
  captureError(new TypeError("captureError in a request"));
  response.end();
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
await fetch(`http://127.0.0.1:${server.address().port}/orders/17`);
await flush();
server.close();
