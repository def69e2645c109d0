/*
 * A page and its server. Run `node reporter/examples/browser.mjs` with the environment variables in crash.mjs, open
 * http://localhost:8080 and click the button. PORT changes the port.
 *
 * The page has no token. It sends events to /errors on this server, which forwards them to Signalbox.
 */
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const { SIGNALBOX_URL, SIGNALBOX_PROJECT, SIGNALBOX_TOKEN, PORT = "8080" } = process.env;
const reporter = fileURLToPath(import.meta.resolve("@signalbox/reporter/browser"));
/** The reporter imports the second file by itself. */
const files = { "/reporter.js": reporter, "/later.js": reporter.replace("index.js", "later.js") };

const page = `<!doctype html>
<title>Shop</title>
<button onclick="order(1042)">Order</button>
<script type="module">
  import { init } from "/reporter.js";
  init({ endpoint: "/errors", environment: "example" });
  window.order = (id) => { throw new RangeError("Order " + id + " has no lines"); };
</script>`;

const server = createServer((request, response) => {
  if (files[request.url]) {
    response.writeHead(200, { "content-type": "text/javascript" });
    createReadStream(files[request.url]).pipe(response);
  } else if (request.url === "/errors" && request.method === "POST") {
    void forward(request, response);
  } else {
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  }
});

/** Sends an event from the page to Signalbox, and responds with Signalbox's status. */
async function forward(request, response) {
  try {
    const answer = await fetch(`${SIGNALBOX_URL}/api/projects/${SIGNALBOX_PROJECT}/error-events`, {
      method: "POST",
      headers: { authorization: `Bearer ${SIGNALBOX_TOKEN}`, "content-type": "application/json" },
      body: request,
      duplex: "half",
      signal: AbortSignal.timeout(10_000),
    });
    const retryAfter = answer.headers.get("retry-after");
    response.writeHead(answer.status, retryAfter ? { "retry-after": retryAfter } : {}).end();
  } catch {
    response.writeHead(502).end();
  }
}

server.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
