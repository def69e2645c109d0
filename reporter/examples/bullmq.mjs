/*
 * BullMQ. Run `node reporter/examples/bullmq.mjs` with the environment variables in crash.mjs and DATABASE_URL, the
 * PostgreSQL for the queue. With Redis, only `connection` and the last argument of Queue and Worker differ.
 */
import { once } from "node:events";
import { flush, init } from "@signalbox/reporter";
import { bullmqErrors } from "@signalbox/reporter/bullmq";
import { createPostgresBackend, Queue, Worker } from "bullmq";

init();

const connection = { connectionString: process.env.DATABASE_URL, migrate: true };
const queue = new Queue("mail", { connection }, createPostgresBackend);
const worker = new Worker(
  "mail",
  async (job) => {
    throw new RangeError(`Invoice ${job.data.invoice} has no address`);
  },
  { connection },
  createPostgresBackend,
);
bullmqErrors(worker);

const failed = once(worker, "failed");
await queue.add("SendInvoice", { invoice: 7 });
const [job] = await failed;
console.log(`${job.name} failed, attempt ${job.attemptsMade}`);
await flush();
await worker.close();
await queue.close();
