import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../../db/connect.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { disableWebhook } from "./disable-webhook.ts";
import type { Outcome } from "../send/send-request.ts";
import { readRetryAfter } from "../send/read-retry-after.ts";
import { secondsUntilRetry } from "./retry-schedule.ts";

/** What was sent. The body only if it is not the delivery's own. */
export type SentRequest = { headers: Record<string, string>; body?: string };

/** Statuses with which a receiver or a proxy asks for less. */
const PAUSING = new Set([429, 502, 504]);
const GONE = 410;

/** Records the outcome of an attempt. The webhook's row is always locked before those of its deliveries. */
export async function settleDelivery(
  db: Db,
  delivery: ClaimedDelivery,
  request: SentRequest,
  outcome: Outcome,
): Promise<void> {
  const { status_code } = outcome;
  if (status_code !== null && status_code >= 200 && status_code < 300) {
    await settle(db, delivery, { status: sql`'succeeded'`, next: sql`null`, request, outcome });
    await sql`
      update webhooks set failing_since = null
      where id = ${delivery.webhook_id} and failing_since is not null`.execute(db);
  } else await settleFailure(db, delivery, request, outcome);
}

async function settleFailure(
  db: Db,
  delivery: ClaimedDelivery,
  request: SentRequest,
  outcome: Outcome,
): Promise<void> {
  const { status_code } = outcome;
  const retryAfter = readRetryAfter(outcome.retry_after);
  const pause = secondsUntilRetry(delivery.attempt_count);
  const pauseOfAll = status_code !== null && PAUSING.has(status_code) ? (retryAfter ?? pause) : undefined;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ is_active: boolean; is_failing: boolean }>`
      update webhooks set
        failing_since = case when active then coalesce(failing_since, clock_timestamp()) else failing_since end,
        paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => ${pauseOfAll ?? null}))
      where id = ${delivery.webhook_id}
      returning active as is_active, failing_since <= clock_timestamp() - interval '7 days' as is_failing`.execute(
      tx,
    );
    const webhook = rows[0];
    // It was deleted together with its deliveries.
    if (!webhook) return;
    const reason = status_code === GONE ? "gone" : webhook.is_failing ? "failing" : undefined;
    const isLast = pause === undefined || reason !== undefined || !webhook.is_active;
    await settle(tx, delivery, {
      status: isLast ? sql`case status when 'pending' then 'failed' else status end` : sql`status`,
      next: isLast
        ? sql`null`
        : sql`case status when 'pending' then clock_timestamp() + make_interval(secs => ${Math.max(pause, retryAfter ?? 0)}) end`,
      request,
      outcome,
    });
    if (reason && webhook.is_active) await disableWebhook(tx, delivery, reason);
  });
}

/** Ends the lease without an attempt: the delivery counts as sent, because an earlier message stands for it. */
export async function settleWithoutSending(db: Db, delivery: ClaimedDelivery): Promise<void> {
  await settle(db, delivery, { status: sql`'succeeded'`, next: sql`null` });
}

/** Gives the delivery back. Another process sends it. */
export async function releaseDelivery(db: Db, { id, attempt_count }: ClaimedDelivery): Promise<void> {
  await sql`
    update webhook_deliveries set leased_until = null, attempt_count = attempt_count - 1
    where id = ${id} and attempt_count = ${attempt_count}`.execute(db);
}

type Result = {
  status: RawBuilder<unknown>;
  next: RawBuilder<unknown>;
  request?: SentRequest;
  outcome?: Outcome;
};

/** Changes nothing if the lease ended and another process has sent the delivery. A further attempt that was asked for meanwhile stays due. */
async function settle(db: Db, delivery: ClaimedDelivery, { status, next, request, outcome }: Result) {
  const { id, attempt_count } = delivery;
  const attempt = outcome && {
    duration_ms: outcome.duration_ms,
    status_code: outcome.status_code,
    error: outcome.error,
    response_body: outcome.response_body,
  };
  await sql`
    update webhook_deliveries set status = ${status}, leased_until = null,
      next_attempt_at = case when next_attempt_at > started_at then next_attempt_at else ${next} end,
      is_forced = is_forced and coalesce(next_attempt_at > started_at, false),
      request = coalesce(${request ? JSON.stringify(request) : null}::jsonb, request),
      attempts = attempts || case when ${attempt === undefined} then '[]' else jsonb_build_array(jsonb_build_object(
        'started_at', to_char(started_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) || ${JSON.stringify(attempt ?? {})}::jsonb) end
    where id = ${id} and attempt_count = ${attempt_count}`.execute(db);
}
