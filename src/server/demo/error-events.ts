import { readEvent } from "../ingest/read/read-event.ts";
import type { ProjectTemplate } from "./samples/projects.ts";
import type { Random } from "./samples/seeded-random.ts";
import type { Runtime } from "./samples/runtime.ts";
import { RUNTIMES } from "./samples/all-runtimes.ts";
import type { Story } from "./samples/story.ts";

const MODULES = [
  "Cart", "Checkout", "Price", "Stock", "Voucher", "Invoice", "Delivery", "Payment", "Search", "Sizing", "Catalog",
  "Route", "Ride", "Battery", "Service", "Booking", "Shelf", "Supplier", "Transfer", "Export", "Account", "Picture",
]; // oxfmt-ignore
const NAMES = [
  "sku",
  "price",
  "frame_size",
  "delivery",
  "total",
  "lat",
  "battery",
  "customer",
  "items",
  "token",
  "color",
];

const KINDS = ["route", "route", "route", "job", "command"] as const;

/** What all events of a group share, as a client sends it. */
export type EventDraft = {
  body: Record<string, unknown>;
  exception_class: string;
  message: string;
  runtime: string;
  environment: string;
  story: Story | undefined;
};

/** Makes drafts with different fingerprints, as the project's apps would send them: first its stories, each with what was merged into it. */
export function draftEvents(project: ProjectTemplate, count: number, random: Random): EventDraft[] {
  const drafts = new Map<string, EventDraft>();
  const add = (draft: EventDraft) => {
    const { fingerprint, environment } = readEvent(Buffer.from(JSON.stringify(draft.body)));
    drafts.set(`${fingerprint.toString("hex")} ${environment}`, draft);
  };
  for (const story of project.stories) add(toDraft({ ...story.event, message: story.messages[0] }, story));
  while (drafts.size < count) add(toDraft(makeBody(project, random)));
  return [...drafts.values()];
}

/** Another draft that was merged into the story's. */
export const draftMerged = (story: Story, merged: NonNullable<Story["merged"]>): EventDraft =>
  toDraft({ ...story.event, ...merged });

function toDraft(body: Record<string, unknown>, story?: Story): EventDraft {
  const { exception_class, message, environment, runtime } = body as Record<string, string>;
  const { name } = runtime as unknown as { name: string };
  return { body, exception_class, message, environment, runtime: name, story } as EventDraft;
}

function makeBody(project: ProjectTemplate, random: Random): Record<string, unknown> {
  const runtime = RUNTIMES[random.pick(project.runtimes)];
  const [exception_class, pattern] = random.pick(runtime.exceptions);
  const message = fillPlaceholders(pattern, random);
  const modules = random.shuffled(MODULES).slice(0, random.integer(2, 5));
  return {
    environment: random.chance(0.85) ? "production" : "staging",
    exception_class,
    message,
    stack_trace: runtime.trace(exception_class, message, modules, random),
    previous_exceptions: random.chance(0.3) ? [makeCause(runtime, modules, random)] : [],
    exception_code: random.chance(0.3) ? random.pick(["23000", "40001", "E_TIMEOUT", "1205", "HY000"]) : null,
    runtime: runtime.runtime,
    framework: runtime.framework ?? null,
    memory_peak_bytes: random.chance(0.7) ? random.integer(18_000_000, 260_000_000) : null,
    memory_limit_bytes: random.chance(0.6) ? 268_435_456 : null,
    context: random.chance(0.9) ? makeContext(modules[0] ?? "Cart", random) : null,
    level: random.pick(["error", "error", "error", "error", "error", "error", "warning", "fatal"]),
  };
}

function fillPlaceholders(pattern: string, random: Random): string {
  const time = `2026-${random.integer(1, 12)}-${random.integer(1, 28)}`;
  return pattern
    .replaceAll("{n}", String(random.integer(2, 60)))
    .replaceAll("{name}", random.pick(NAMES))
    .replaceAll("{time}", time);
}

function makeCause(runtime: Runtime, modules: string[], random: Random) {
  const [exception_class, pattern] = random.pick(runtime.exceptions);
  const message = fillPlaceholders(pattern, random);
  return {
    exception_class,
    message,
    stack_trace: runtime.trace(exception_class, message, modules.slice(0, 2), random),
  };
}

function makeContext(module: string, random: Random) {
  const path = `/${plural(module.toLowerCase())}`;
  switch (random.pick(KINDS)) {
    case "route": {
      const method = random.pick(["GET", "GET", "POST", "PUT", "DELETE"]);
      return {
        kind: "route",
        name: `${module.toLowerCase()}.${method === "GET" ? "show" : "update"}`,
        method,
        pattern: method === "POST" ? path : `${path}/{id}`,
        action: `${module}Controller@${method === "GET" ? "show" : "update"}`,
        response_status: random.pick([500, 500, 500, 502, 503]),
      };
    }
    case "job":
      return {
        kind: "job",
        name: `Northwind\\Jobs\\Sync${module}`,
        queue: random.pick(["default", "mail", "stock"]),
        attempt: random.integer(1, 4),
      };
    case "command":
      return {
        kind: "command",
        name: `${module.toLowerCase()}:rebuild`,
        class: `Northwind\\Console\\Rebuild${module}`,
      };
  }
}

const plural = (word: string): string =>
  /(?:s|sh|ch)$/.test(word) ? `${word}es` : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
