import { at, cut, integer, isRecord, name, record, text, type JsonRecord } from "../../coerce.ts";
import type { EventContext } from "../../event-context.ts";
import { isAllowedPattern } from "../../route-pattern.ts";

/** Where the event happened. If `isPersonal` finds personal data in it, its texts are left out. */
export function contextOf(event: JsonRecord, isPersonal: (text: string) => boolean): EventContext | null {
  const context = jobOf(event) ?? commandOf(event) ?? routeOf(event);
  const texts = Object.values(context ?? {}).filter((value) => typeof value === "string");
  return texts.some(isPersonal) ? withoutTexts(context) : context;
}

function withoutTexts(context: EventContext | null): EventContext | null {
  if (context?.kind === "route") return { ...context, name: null, pattern: null, action: null };
  return context?.kind === "job" ? { ...context, name: null, queue: null } : null;
}

const operationOf = (event: JsonRecord): string => text(at(event, "contexts", "trace", "op"), 255) ?? "";

function jobOf(event: JsonRecord): EventContext | null {
  const celery = at(event, "extra", "celery-job");
  const sidekiq = at(event, "contexts", "sidekiq") ?? at(event, "extra", "sidekiq");
  const bullmq = at(event, "contexts", "bullmq") ?? at(event, "extra", "bullmq");
  const isJob =
    operationOf(event).startsWith("queue.") ||
    [celery, sidekiq, bullmq].some(isRecord) ||
    text(at(event, "tags", "celery_task_id"), 255) !== null ||
    JOB_MECHANISM.test(mechanisms(event));
  if (!isJob) return null;
  const data = record(at(event, "contexts", "trace", "data"));
  const retries = [
    data["messaging.message.retry.count"],
    at(sidekiq, "retry_count"),
    at(bullmq, "attemptsMade"),
  ]
    .map((value) => integer(value, 0, 1e9))
    .find((value) => value !== null);
  return {
    kind: "job",
    name:
      name(at(celery, "task_name")) ??
      name(at(sidekiq, "class")) ??
      name(at(bullmq, "name")) ??
      transactionName(event),
    queue:
      name(data["messaging.destination.name"]) ??
      name(at(sidekiq, "queue")) ??
      name(at(bullmq, "queueName")) ??
      null,
    attempt: retries === undefined || retries === null ? null : retries + 1,
  };
}

const JOB_MECHANISM = /\b(?:celery|sidekiq|bullmq|rq|huey|dramatiq|arq|resque|delayed_job)\b/;

const mechanisms = (event: JsonRecord): string => {
  const values = at(event, "exception", "values");
  const last: unknown = Array.isArray(values) ? values.at(-1) : undefined;
  return text(at(last, "mechanism", "type"), 255) ?? "";
};

/** Sidekiq names a transaction `Sidekiq/HardWorker`. */
const transactionName = (event: JsonRecord) => name(event.transaction)?.replace(/^Sidekiq\//, "") ?? null;

const COMMAND = /^(?:cli|console|command|rake)(?:\.|$)/;

function commandOf(event: JsonRecord): EventContext | null {
  if (!COMMAND.test(operationOf(event))) return null;
  return { kind: "command", name: name(event.transaction), class: null };
}

const METHOD_AND_PATH = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|QUERY) (\/.*)$/s;

function routeOf(event: JsonRecord): EventContext | null {
  const transaction = text(event.transaction, 2_000)?.trim() ?? "";
  const named = METHOD_AND_PATH.exec(transaction);
  const isRequest = isRecord(event.request);
  if (!isRequest && !named) return null;
  const path = named?.[2] ?? (transaction.startsWith("/") ? transaction : null);
  return {
    kind: "route",
    name: null,
    method: name(at(event, "request", "method"))?.toUpperCase() ?? named?.[1] ?? null,
    pattern: path !== null && isPattern(path) ? cut(path, 255) : null,
    action: path === null && ACTION.test(transaction) ? transaction : null,
    response_status: integer(at(event, "contexts", "response", "status_code"), 100, 599),
  };
}

/** The name of a function or method: `shop.views.checkout`, `OrderController#pay`, `App\Http\Pay@store`. */
const ACTION = /^[A-Za-z_$][\w$.#:\\@]{0,254}$/;

// `:id`, `{id}`, `<int:id>`, `[id]`, `*`
const PLACEHOLDER = /\/:[A-Za-z_]|\{[^{}]{1,100}\}|<[^<>]{1,100}>|\[[^[\]]{1,100}\]|\*/;

/** Whether the path is a declared pattern. SDKs without tracing send the path of the request instead. */
const isPattern = (path: string): boolean =>
  path.length <= 255 && PLACEHOLDER.test(path) && isAllowedPattern(path);
