import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { ReleaseDetail } from "../../shared/releases.ts";
import { type HealthInterval, releaseHealthQuery } from "../data/errors/releases.ts";
import { compactCount, countOf, exactCount } from "../kit/count-text.ts";
import { cx } from "../kit/cx.ts";
import { Select } from "../kit/select.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { QueryError } from "../page/query-error.tsx";
import { EnvironmentFilter } from "./environment-filter.tsx";
import { HealthChart } from "./health-chart.tsx";
import { crashFreeText, shareText, verdictOf } from "./health-text.ts";

type Props = { projectId: number; release: ReleaseDetail };

const INTERVALS = [
  { value: "day", label: "Last 30 days" },
  { value: "hour", label: "Last 48 hours" },
];

/** How stable a release is: the verdict, its rates, and its sessions over time. */
export function ReleaseHealth({ projectId, release }: Props) {
  const [interval, setInterval] = useState<HealthInterval>("day");
  const { environment } = useSearch({ strict: false });
  const query = { version: release.version, interval, ...(environment !== undefined && { environment }) };
  const series = useQuery(releaseHealthQuery(projectId, query));
  return (
    <section aria-label="Health" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">Health</h2>
        <div className="flex flex-wrap gap-2">
          <EnvironmentFilter environments={release.environments} />
          <Select
            label="Time"
            options={INTERVALS}
            value={interval}
            onChange={(next) => setInterval(next as HealthInterval)}
            className="w-36"
          />
        </div>
      </div>
      {release.comparison && <VerdictLine comparison={release.comparison} />}
      <Rates health={release.health} />
      <div className="min-h-58 rounded-md border border-line bg-surface p-4">
        {series.data ? (
          <HealthChart points={series.data} interval={interval} />
        ) : series.isError ? (
          <QueryError error={series.error} retry={() => void series.refetch()} />
        ) : (
          <Skeleton rows={4} label="Loading sessions" />
        )}
      </div>
    </section>
  );
}

const TONES = {
  better: "border-resolved text-resolved",
  worse: "border-regressed text-regressed",
  neutral: "border-line-strong",
} as const;

function VerdictLine({ comparison }: { comparison: NonNullable<ReleaseDetail["comparison"]> }) {
  const { text, tone } = verdictOf(comparison);
  const { hours, before } = comparison;
  return (
    <div className={cx("border-s-2 ps-3", TONES[tone])}>
      <p className="text-read">{text}</p>
      {before && (
        <p className="text-sm wrap-anywhere text-text-2">
          The first {countOf(hours, "hour")} of this release and of <bdi>{before.version}</bdi>.
        </p>
      )}
    </div>
  );
}

function Rates({ health }: { health: ReleaseDetail["health"] }) {
  const { sessions, crash_free_sessions, users, crash_free_users, users_exact, adoption } = health;
  const rates = [
    { name: "Crash-free sessions", value: crash_free_sessions, text: crashFreeText },
    { name: "Crash-free users", value: crash_free_users, text: crashFreeText },
    { name: "Adoption in 24 hours", value: adoption, text: shareText },
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 md:grid-cols-4 [&_dd]:text-title [&_dd]:font-semibold [&_dt]:text-sm [&_dt]:text-text-3">
        {rates.map(({ name, value, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? "—" : text(value)}</dd>
          </div>
        ))}
        <div>
          <dt>Sessions and users</dt>
          <dd title={`${exactCount(sessions)} sessions, ${exactCount(users)} users`}>
            {compactCount(sessions)}
            <span className="font-normal text-text-3"> / </span>
            {users_exact ? compactCount(users) : `≈ ${compactCount(users)}`}
          </dd>
        </div>
      </dl>
      {!users_exact && (
        <p className="text-sm text-text-3">
          The number of users is an estimate, because it is above 10,000. It is at most 2% off.
        </p>
      )}
    </>
  );
}
