import type { FastifyBaseLogger } from "fastify";
import { Gauge } from "prom-client";
import type pg from "pg";
import type { Metrics } from "../../http/metrics.ts";
import { readJobStates, type JobState } from "../../jobs/job-states.ts";

type Measure = { name: string; help: string; read: (state: JobState) => number | null };

const MEASURES: Measure[] = [
  {
    name: "signalbox_job_run_age_seconds",
    help: "Time since the last run of a background job ended.",
    read: ({ run_age }) => run_age,
  },
  {
    name: "signalbox_job_success_age_seconds",
    help: "Time since a background job last succeeded.",
    read: ({ success_age }) => success_age,
  },
  {
    name: "signalbox_job_duration_seconds",
    help: "How long the last run of a background job took.",
    read: ({ seconds }) => seconds,
  },
  {
    name: "signalbox_job_failures",
    help: "Failed runs of a background job since its last success.",
    read: ({ failures }) => failures,
  },
];

/** Adds the state of the background jobs of all processes, read from the database whenever the metrics are. */
export function measureJobs({ registry }: Metrics, pool: pg.Pool, log: FastifyBaseLogger): void {
  // One read serves all gauges, which are collected together.
  let reading: Promise<JobState[]> | undefined;
  const read = () => {
    reading ??= readJobStates(pool)
      .catch((error: unknown) => {
        log.warn({ err: error }, "the background jobs could not be measured");
        return [];
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  for (const measure of MEASURES)
    void new Gauge({
      name: measure.name,
      help: `${measure.help} Absent while the database does not answer.`,
      labelNames: ["job"],
      registers: [registry],
      async collect() {
        const states = await read();
        this.reset();
        for (const state of states) {
          const value = measure.read(state);
          if (value !== null) this.set({ job: state.name }, value);
        }
      },
    });
}
