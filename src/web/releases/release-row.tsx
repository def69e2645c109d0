import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Release } from "../../shared/releases.ts";
import { Badge } from "../kit/badge.tsx";
import { Count } from "../kit/count.tsx";
import { cx } from "../kit/cx.ts";
import { Time } from "../kit/dates/time.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import type { RowLinkProps } from "../lists/use-row-keys.ts";
import { releaseAddress } from "../page/release-address.ts";
import { crashFreeText, shareText } from "./health-text.ts";
import { latestDeploys } from "./latest-deploys.ts";

/** The width of a column of numbers, shared with the head of the list. */
export const RELEASE_COLUMNS = "hidden w-18 shrink-0 text-end @min-[640px]:block";

/** The columns of health, for a list with sessions. Narrower lists show them below the version. */
export const HEALTH_COLUMNS = "hidden shrink-0 text-end @min-[960px]:block";

/** Environments that a row names; the release's page has all of them. */
const MAX_DEPLOYS = 3;

type Props = {
  release: Release;
  projectKey: string;
  isLatest: boolean;
  /** Whether any release of the list has sessions. */
  hasHealth: boolean;
  current: boolean;
  row: RowLinkProps;
};

/** A release on two lines: its version, then when it was first seen and deployed. */
export function ReleaseRow({ release, projectKey, isLatest, hasHealth, current, row }: Props) {
  return (
    <Row
      lines={2}
      current={current}
      className="h-auto! min-h-(--row-2) py-2"
      end={
        <>
          {hasHealth && <HealthColumns health={release.health} />}
          <Column value={release.new_groups} unit="new" />
          <Column value={release.regressed_groups} unit="regressed" hot />
          <Column value={release.resolved_groups} unit="fixed" />
          <Column value={release.events} unit="events" />
        </>
      }
    >
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            {...row}
            {...releaseAddress(projectKey, release.version)}
            className={rowLink}
            title={release.version}
            draggable={false}
          >
            <RowText>{release.version}</RowText>
          </Link>
          {isLatest && <Badge tone="accent">Latest</Badge>}
        </div>
        <p
          className={cx(
            "relative mt-0.5 text-sm text-text-3",
            hasHealth ? "@min-[960px]:truncate" : "@min-[640px]:truncate",
          )}
        >
          <span className="@min-[640px]:hidden">
            <Sums release={release} />
          </span>
          <span className="@min-[960px]:hidden">
            <HealthText health={release.health} />
          </span>
          <Seen release={release} />
        </p>
      </div>
    </Row>
  );
}

/** A number that is 0 is pale, so that the others stand out. */
function Column({ value, unit, hot = false }: { value: number; unit: string; hot?: boolean }) {
  return (
    <Count
      value={value}
      unit={unit}
      className={cx(RELEASE_COLUMNS, value === 0 ? "text-text-3" : hot && "font-medium text-regressed")}
    />
  );
}

type Health = Release["health"];

function HealthColumns({ health: { crash_free_sessions, crash_free_users, adoption } }: { health: Health }) {
  const columns = [
    { unit: "crash-free sessions", width: "w-33", text: textOf(crash_free_sessions, crashFreeText) },
    { unit: "crash-free users", width: "w-28", text: textOf(crash_free_users, crashFreeText) },
    { unit: "adoption", width: "w-18", text: textOf(adoption, shareText) },
  ];
  return columns.map(({ unit, width, text }) => (
    <span key={unit} className={cx(HEALTH_COLUMNS, width, text === NONE && "text-text-3")}>
      {text}
      <span className="sr-only"> {unit}</span>
    </span>
  ));
}

const NONE = "—";

const textOf = (rate: number | null, write: (rate: number) => string) => (rate === null ? NONE : write(rate));

/** Instead of the columns of health. */
function HealthText({ health: { crash_free_sessions, crash_free_users, adoption } }: { health: Health }) {
  if (crash_free_sessions === null) return null;
  return (
    <>
      {crashFreeText(crash_free_sessions)} crash-free sessions ·{" "}
      {crash_free_users !== null && `${crashFreeText(crash_free_users)} crash-free users · `}
      {adoption !== null && `${shareText(adoption)} adoption · `}
    </>
  );
}

/** On narrow screens, instead of the columns. */
function Sums({ release: { new_groups, regressed_groups, resolved_groups } }: { release: Release }) {
  const parts = [
    [new_groups, "new", ""],
    [regressed_groups, "regressed", "font-medium text-regressed"],
    [resolved_groups, "fixed", ""],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name, className]) => (
      <Fragment key={name}>
        <span className={className}>
          {count} {name}
        </span>
        {" · "}
      </Fragment>
    ));
}

/** "production 2 hours ago · staging yesterday", or the first event of a release that was never deployed. */
function Seen({ release }: { release: Release }) {
  const deploys = latestDeploys(release.deploys);
  if (release.first_seen_at === null) return "Not seen yet";
  if (deploys.length === 0)
    return (
      <>
        First seen <Time at={release.first_seen_at} as="row" />
      </>
    );
  return (
    <>
      {deploys.slice(0, MAX_DEPLOYS).map(({ environment, deployed_at }, index) => (
        <Fragment key={environment}>
          {index > 0 && " · "}
          <span className="inline-block max-w-full truncate align-bottom">
            {environment === null ? "Deployed" : <bdi>{environment}</bdi>} <Time at={deployed_at} as="row" />
          </span>
        </Fragment>
      ))}
      {deploys.length > MAX_DEPLOYS && ` · ${deploys.length - MAX_DEPLOYS} more`}
    </>
  );
}
