/* pg-boss. Run `node reporter/examples/pg-boss.mjs` with the environment variables in crash.mjs and DATABASE_URL. */
import { EventEmitter, once } from "node:events";
import { flush, init } from "@signalbox/reporter";
import { pgBossErrors } from "@signalbox/reporter/pg-boss";
import { PgBoss } from "pg-boss";

init();

const done = new EventEmitter();
const boss = new PgBoss(process.env.DATABASE_URL);
boss.on("error", console.error);
await boss.start();
await boss.createQueue("mail");
await boss.work(
  "mail",
  { pollingIntervalSeconds: 0.5 },
  pgBossErrors(async ([job]) => {
    done.emit("failed");
    throw new RangeError(`Invoice ${job.data.invoice} has no address`);
  }),
);
const failed = once(done, "failed");
await boss.send("mail", { invoice: 7 }, { retryLimit: 0 });
await failed;
await boss.stop();
await flush();
