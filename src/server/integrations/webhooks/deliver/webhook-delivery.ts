import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../../db/connect.ts";
import { retryInOutage } from "../../../db/retry-in-outage.ts";
import { claimDeliveries, type ClaimedDelivery } from "./claim-deliveries.ts";
import { makeRequest } from "./make-request.ts";
import { sendRequest, type SendOptions } from "./send-request.ts";
import { releaseDelivery, settleDelivery, settleWithoutSending } from "./settle-delivery.ts";

/** How often to look for new deliveries while others are being sent. */
const POLL_MS = 1_000;
/** How long to try to record the result in an outage of the database. Together with an attempt it is shorter than the lease. */
const RECORD_MS = 60_000;

type Options = SendOptions & { publicUrl: () => string };

/** Sends the deliveries of webhooks that are due. Any number of processes may do so: each delivery is claimed by one. */
export class WebhookDelivery {
  readonly #db: Db;
  readonly #options: Options;

  constructor(db: Db, options: Options) {
    this.#db = db;
    this.#options = options;
  }

  /** Sends until nothing is due or `signal` aborts. Throws the first failure to record a result, after all others were sent. */
  async deliver(signal?: AbortSignal): Promise<void> {
    const sending = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const start = (delivery: ClaimedDelivery) => {
      const attempt = this.#attempt(delivery, signal)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => sending.delete(attempt));
      sending.add(attempt);
    };
    const mustStop = () => signal?.aborted === true;
    try {
      while (!mustStop()) {
        const claimed = await claimDeliveries(this.#db);
        for (const delivery of claimed) start(delivery);
        if (sending.size === 0) break;
        // The next ones may wait for deliveries that another process sends.
        if (claimed.length === 0) await Promise.race([pause(POLL_MS), ...sending]);
      }
    } finally {
      await Promise.all(sending);
    }
    if (failures.length > 0) throw failures[0];
  }

  async #attempt(delivery: ClaimedDelivery, signal?: AbortSignal): Promise<void> {
    const result = await this.#send(delivery, signal);
    // Keep trying: otherwise the delivery would be sent again after its lease.
    await retryInOutage(result, RECORD_MS, signal);
  }

  /** Returns what records the result. */
  async #send(delivery: ClaimedDelivery, signal?: AbortSignal): Promise<() => Promise<void>> {
    const request = await makeRequest(this.#db, delivery, this.#options.publicUrl());
    if (!request) return () => settleWithoutSending(this.#db, delivery);
    const { url, format } = delivery;
    try {
      const outcome = await sendRequest({ url, ...request }, this.#options, signal);
      const { headers, body } = request;
      const sent = format === "signalbox" ? { headers } : { headers, body };
      return () => settleDelivery(this.#db, delivery, sent, outcome);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      return () => releaseDelivery(this.#db, delivery);
    }
  }
}
