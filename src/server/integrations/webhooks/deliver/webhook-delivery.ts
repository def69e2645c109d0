import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../../db/connect.ts";
import { retryInOutage } from "../../../db/retry-in-outage.ts";
import { claimDeliveries, type ClaimedDelivery } from "./claim-deliveries.ts";
import { makeRequest } from "./make-request.ts";
import { sendRequest, type SendOptions } from "../send/send-request.ts";
import { releaseDelivery, settleDelivery, settleWithoutSending } from "./settle-delivery.ts";

/** How often to look for new deliveries while others are being sent. */
const POLL_MS = 1_000;
/** How long to try to record the result in an outage of the database. Together with an attempt it is shorter than the lease. */
const RECORD_MS = 60_000;

/** A run ends after this time, because a job whose run takes ten minutes counts as stuck. */
const RUN_MS = 60_000;

type Options = SendOptions & { publicUrl: () => string; runMs?: number };

/** Sends the deliveries of webhooks that are due. Any number of processes may do so: each delivery is claimed by one. */
export class WebhookDelivery {
  readonly #db: Db;
  readonly #options: Options;
  readonly #sending = new Set<Promise<void>>();
  #failures: unknown[] = [];

  constructor(db: Db, options: Options) {
    this.#db = db;
    this.#options = options;
  }

  /**
   * Sends until nothing is due, `signal` aborts, or a minute has passed; the next call goes on with what is being sent then. Throws the
   * first failure to record a result.
   */
  async deliver(signal?: AbortSignal): Promise<void> {
    const endsAt = performance.now() + (this.#options.runMs ?? RUN_MS);
    const mustStop = () => signal?.aborted === true;
    while (!mustStop() && performance.now() < endsAt) {
      const wasSending = this.#sending.size > 0;
      const claimed = await claimDeliveries(this.#db);
      for (const delivery of claimed) this.#start(delivery, signal);
      // If something was being sent, more may have become due meanwhile.
      if (claimed.length === 0 && !wasSending) break;
      // The next ones may also wait for deliveries that another process sends.
      if (claimed.length === 0 && this.#sending.size > 0)
        await Promise.race([pause(POLL_MS), ...this.#sending]);
    }
    if (mustStop()) await Promise.all(this.#sending);
    const failures = this.#failures;
    this.#failures = [];
    if (failures.length > 0) throw failures[0];
  }

  #start(delivery: ClaimedDelivery, signal?: AbortSignal): void {
    const attempt = this.#attempt(delivery, signal)
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => this.#sending.delete(attempt));
    this.#sending.add(attempt);
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
