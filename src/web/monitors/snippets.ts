import type { Monitor, MonitorSchedule } from "../../shared/monitors.ts";

/** `readsDsn`: it finds the server by the DSN in `SENTRY_DSN`. */
type Snippet = { name: string; code: string; readsDsn?: true };

/** Stands for a ping URL that the person may not see. */
const PLACEHOLDER = "https://YOUR_PING_URL";

/** How a job checks in, by tool. */
export function snippetsOf({ slug, schedule, timezone, ping_url }: Monitor): Snippet[] {
  const url = ping_url ?? PLACEHOLDER;
  return [
    { name: "curl", code: `${curl(`${url}/start`)}\n./job.sh\n${curl(`${url}/$?`)}` },
    {
      name: "crontab",
      code: `CRON_TZ=${timezone}\n${crontabOf(schedule)} ./job.sh; ${curl(`${url}/$?`)}`,
    },
    { name: "sentry-cli", code: `sentry-cli monitors run ${slug} -- ./job.sh`, readsDsn: true },
    {
      name: "Node.js",
      readsDsn: true,
      code: `import * as Sentry from "@sentry/node";

Sentry.init({ dsn: process.env.SENTRY_DSN });

await Sentry.withMonitor("${slug}", () => runJob());`,
    },
    {
      name: "Python",
      readsDsn: true,
      code: `import sentry_sdk
from sentry_sdk.crons import monitor

sentry_sdk.init()

@monitor(monitor_slug="${slug}")
def run_job():
    ...`,
    },
  ];
}

/** While the server restarts, connections are refused, which curl does not retry unless told to. */
const curl = (url: string) => `curl -fsS -m 10 --retry 5 --retry-connrefused -o /dev/null ${url}`;

/** An interval has no fixed times, so a crontab that is as frequent is an example. */
function crontabOf(schedule: MonitorSchedule): string {
  if (schedule.type === "crontab") return schedule.value;
  const { value, unit } = schedule;
  if (unit === "minute") return value < 60 ? `*/${value} * * * *` : "@hourly";
  if (unit === "hour") return value < 24 ? `0 */${value} * * *` : "@daily";
  return { day: "@daily", week: "@weekly", month: "@monthly" }[unit];
}
