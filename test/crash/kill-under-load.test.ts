import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import { checkCounts } from "../support/check-counts.ts";
import { anEvent } from "../support/error-events.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { makeHome, postgresPid, startServer, type Home, type Server } from "../support/program.ts";
import { waitUntil } from "../support/eventually.ts";

/** Acknowledged events survive any kill, and no event is counted twice. */

const CLIENTS = 8;
const CLASSES = ["Timeout", "NotFound", "Refused", "TooLarge"];
/** The number of acknowledged events before each kill. */
const ACKNOWLEDGED = 300;

let home: Home;
let server: Server;
let installed: Installed;
const ledger = new Map(CLASSES.map((name) => [name, { acknowledged: 0, unanswered: 0 }]));

before(async () => {
  home = await makeHome();
  server = await startServer(home, { SETUP_TOKEN });
  installed = await install(server.url);
});
after(() => home.remove());

const entry = (name: string) => ledger.get(name) as { acknowledged: number; unanswered: number };
const acknowledged = () => [...ledger.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);

/** Sends events sequentially until the server no longer responds or cannot store them. */
async function sendUntilCut(base: string, client: number) {
  for (let n = client; ; n++) {
    const name = CLASSES[n % CLASSES.length] as string;
    const event = anEvent({ exception_class: name, release: `1.${n % 3}`, host: `web-${client}` });
    let answer: Response;
    try {
      answer = await installed.send(base, event);
    } catch {
      entry(name).unanswered++;
      return;
    }
    // Without its database the server still responds, but it is unknown whether the event was stored.
    if (answer.status >= 500) {
      entry(name).unanswered++;
      return;
    }
    assert.equal(answer.status, 202);
    entry(name).acknowledged++;
  }
}

/** Loads the server with several clients and kills it meanwhile. */
async function killUnderLoad(kill: () => void) {
  const until = acknowledged() + ACKNOWLEDGED;
  const clients = Array.from({ length: CLIENTS }, (_, n) => sendUntilCut(server.url, n));
  await waitUntil(() => acknowledged() >= until, "the server takes too few events");
  kill();
  await Promise.all(clients);
}

async function restartAndCheck() {
  await server.ended;
  server = await startServer(home, { SETUP_TOKEN });
  const groups = await installed.readGroups(server.url);
  assert.deepEqual(groups.map((group) => group.exception_class).sort(), CLASSES.toSorted());
  for (const group of groups) check(group);
}

const check = (group: ErrorGroup) => checkCounts(group, entry(group.exception_class));

test("killing the server under load loses no acknowledged event and counts none twice", async () => {
  await killUnderLoad(() => server.kill("SIGKILL"));
  assert.equal((await server.ended).signal, "SIGKILL");
  await restartAndCheck();
});

test("killing the server and its PostgreSQL at once loses no acknowledged event", async () => {
  const postgres = postgresPid(home);
  await killUnderLoad(() => {
    process.kill(postgres, "SIGKILL");
    server.kill("SIGKILL");
  });
  await restartAndCheck();
  assert.notEqual(postgresPid(home), postgres);
});

test("after PostgreSQL is killed, the server restarts it and loses no acknowledged event", async () => {
  const postgres = postgresPid(home);
  await killUnderLoad(() => process.kill(postgres, "SIGKILL"));
  const isReady = async () => (await fetch(`${server.url}/api/ready`)).status === 200;
  await waitUntil(isReady, "the server did not become ready again");
  for (const group of await installed.readGroups(server.url)) check(group);
  server.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  await restartAndCheck();
});
