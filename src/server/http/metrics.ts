import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What the server measures of itself, in Prometheus' terms (reliability.md, Health). */
export type Metrics = {
  registry: Registry;
  /** A request that was answered: by route pattern, never by address. */
  request(labels: { method: string; route: string; status: string }, seconds: number): void;
  event(outcome: EventOutcome): void;
  /** A batch of error events that was committed, or failed as one. */
  batch(events: number, seconds: number): void;
  /** Something that is counted when it is asked for. */
  gauge(name: string, help: string, read: () => number): void;
};

/** What became of an error event. */
export const EVENT_OUTCOMES = [
  "accepted",
  "invalid",
  "limited",
  "forbidden",
  "too_large",
  "overloaded",
  "error",
] as const;

export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Of one app; those of the process are apart. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "signalbox_http_request_seconds",
    help: "Requests by route and class of status, and how long they took.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const events = new Counter({
    name: "signalbox_ingest_events_total",
    help: "Error events by what became of them.",
    labelNames: ["outcome"],
    registers,
  });
  // From the start on, so that a rate is right from the first one.
  for (const outcome of EVENT_OUTCOMES) events.inc({ outcome }, 0);
  const batchEvents = new Histogram({
    name: "signalbox_ingest_batch_events",
    help: "Error events stored together.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const batchSeconds = new Histogram({
    name: "signalbox_ingest_batch_seconds",
    help: "How long storing a batch of error events took.",
    buckets: SECONDS,
    registers,
  });
  return {
    registry,
    request: (labels, seconds) => requests.observe(labels, seconds),
    event: (outcome) => events.inc({ outcome }),
    batch: (count, seconds) => {
      batchEvents.observe(count);
      batchSeconds.observe(seconds);
    },
    gauge: (name, help, read) =>
      void new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      }),
  };
}
