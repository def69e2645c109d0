import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The application's own Prometheus metrics. */
export type Metrics = {
  registry: Registry;
  /** Records a response. `route` is the route's pattern, because URLs may contain secrets and are unbounded. */
  request(labels: { method: string; route: string; status: string }, seconds: number): void;
  event(outcome: EventOutcome): void;
  /** Records a batch of error events that was committed, or that failed as a whole. */
  batch(events: number, seconds: number): void;
  /** Adds a gauge that is read whenever the metrics are requested. */
  gauge(name: string, help: string, read: () => number): void;
};

const EVENT_OUTCOMES = [
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

/** One registry per app; process metrics use their own. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "signalbox_http_request_seconds",
    help: "Duration of requests in seconds, by method, route and status class.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const events = new Counter({
    name: "signalbox_ingest_events_total",
    help: "Error events received, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  // Export all outcomes from the start, so that rates include the first event.
  for (const outcome of EVENT_OUTCOMES) events.inc({ outcome }, 0);
  const batchEvents = new Histogram({
    name: "signalbox_ingest_batch_events",
    help: "Number of error events stored together in a batch.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const batchSeconds = new Histogram({
    name: "signalbox_ingest_batch_seconds",
    help: "Duration of storing a batch of error events in seconds.",
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
