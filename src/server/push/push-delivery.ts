import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { retryInOutage } from "../db/retry-in-outage.ts";
import { encryptPayload } from "./encrypt-payload.ts";
import { lookUpPublic } from "./public-address.ts";
import { readPushKeys, vapidHeader, type PushKeys } from "./push-keys.ts";

type Taken = {
  id: number;
  subscription_id: number;
  user_id: number;
  endpoint: string;
  p256dh: string;
  auth: string;
  title: string;
  path: string;
  attempts: number;
};

/** Longer than an attempt and recording its result may take. */
const LEASE = sql`interval '1 minute'`;
const ATTEMPT_MS = 10_000;
/** How many messages are sent at the same time. */
const MAX_AT_ONCE = 8;
/** How often to look for new messages while others are being sent. */
const POLL_MS = 1_000;
/** How long to try to record the result in an outage of the database. */
const RECORD_MS = 40_000;
/** The last attempt is about an hour after the first: later, an entry in the inbox is enough. */
const MAX_ATTEMPTS = 5;
/** How long the push service keeps the message for a browser that is offline. */
const TTL_SECONDS = 86_400;

/** Sends push messages that are due. Any number of processes may do so: each message is taken by one. */
export class PushDelivery {
  readonly #db: Db;
  readonly #publicUrl: () => string;
  readonly #toInternal: boolean;

  /** `toInternal` allows plain HTTP and internal addresses, for tests. */
  constructor(db: Db, publicUrl: () => string, { toInternal = false } = {}) {
    this.#db = db;
    this.#publicUrl = publicUrl;
    this.#toInternal = toInternal;
  }

  /**
   * Sends until nothing is due or `signal` aborts. At most one message at a time goes to each push service and to each person, so
   * that a service that does not answer delays only its own messages and those of the person who subscribed there.
   */
  async deliver(signal?: AbortSignal): Promise<void> {
    let keys: PushKeys | undefined;
    const sending = new Map<Taken, Promise<void>>();
    const mustStop = () => signal?.aborted === true;
    while (!mustStop()) {
      const others = [...sending.keys()];
      const message = others.length < MAX_AT_ONCE ? await this.#take(others) : undefined;
      if (message) {
        keys ??= await readPushKeys(this.#db);
        const delivery = this.#deliverOne(message, keys, signal).finally(() => sending.delete(message));
        sending.set(message, delivery);
        // If others were being sent, messages to the same people and services may have waited for them.
      } else if (others.length === 0) return;
      else if (sending.size > 0) await Promise.race([pause(POLL_MS), ...sending.values()]);
    }
    await Promise.all(sending.values());
  }

  async #deliverOne(message: Taken, keys: PushKeys, signal?: AbortSignal): Promise<void> {
    const status = await this.#send(message, keys, signal);
    // Keep trying: otherwise the message would be sent again after its lease.
    await retryInOutage(() => this.#settle(message, status), RECORD_MS, signal);
  }

  async #take(sending: Taken[]): Promise<Taken | undefined> {
    const hosts = sending.map(({ endpoint }) => new URL(endpoint).host);
    const people = sending.map(({ user_id }) => user_id);
    const { rows } = await sql<Taken>`
      with next as materialized (
        select m.id from push_messages m join push_subscriptions s on s.id = m.subscription_id
        where m.due_at <= clock_timestamp() and s.user_id <> all(${people}::bigint[])
          and split_part(lower(s.endpoint), '/', 3) <> all(${hosts}::text[])
        order by m.due_at limit 1 for update of m skip locked
      )
      update push_messages m set attempts = m.attempts + 1, due_at = clock_timestamp() + ${LEASE}
      from next, push_subscriptions s where m.id = next.id and s.id = m.subscription_id
      returning m.id, m.subscription_id, s.user_id, s.endpoint, s.p256dh, s.auth, m.title, m.path, m.attempts`.execute(
      this.#db,
    );
    return rows[0];
  }

  /** Returns the status of the response; undefined if there was none. */
  async #send({ endpoint, title, path, ...keysOfBrowser }: Taken, keys: PushKeys, stop?: AbortSignal) {
    try {
      const body = encryptPayload(JSON.stringify({ title, path }), keysOfBrowser);
      const url = new URL(endpoint);
      const isPlain = url.protocol === "http:" && this.#toInternal;
      // Node's TLS takes 2 MB, and many installations send no messages.
      const request = isPlain ? requestHttp : (await import("node:https")).request;
      const sending = request(url, {
        method: "POST",
        agent: false,
        signal: AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), ...(stop ? [stop] : [])]),
        ...(this.#toInternal ? {} : { lookup: lookUpPublic }),
        headers: {
          authorization: vapidHeader(keys, endpoint, this.#publicUrl()),
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
          "content-length": body.length,
          ttl: TTL_SECONDS,
          urgency: "normal",
        },
      });
      sending.end(body);
      const [response] = await once(sending, "response");
      // Discard the body, which is not used and may never end.
      response.destroy();
      return response.statusCode as number;
    } catch {
      return undefined;
    }
  }

  /**
   * 404 and 410 end the subscription; 429, 5xx and lost connections are retried; everything else is final. The subscription's other
   * messages wait for the retry, too.
   */
  async #settle({ id, subscription_id, attempts }: Taken, status: number | undefined): Promise<void> {
    if (status === 404 || status === 410)
      await this.#db.deleteFrom("push_subscriptions").where("id", "=", subscription_id).execute();
    else if ((status === undefined || status === 429 || status >= 500) && attempts < MAX_ATTEMPTS)
      await sql`
        with waiting as materialized (
          select id from push_messages where subscription_id = ${subscription_id} order by id for update
        ), retry as materialized (
          select clock_timestamp() + make_interval(secs => ${30 * 4 ** (attempts - 1)}) as at
        )
        update push_messages m set due_at = case when m.id = ${id} then retry.at else greatest(m.due_at, retry.at) end
        from waiting, retry where m.id = waiting.id`.execute(this.#db);
    else await this.#db.deleteFrom("push_messages").where("id", "=", id).execute();
  }
}
