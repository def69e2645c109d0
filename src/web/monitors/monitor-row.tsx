import { Link } from "@tanstack/react-router";
import type { Monitor, MonitorDay } from "../../shared/monitors.ts";
import { Time } from "../kit/dates/time.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import type { RowLinkProps } from "../lists/use-row-keys.ts";
import { MonitorStrip } from "./monitor-strip.tsx";
import { lastCheckIn, MONITOR_LOOKS, nextDue, statusOf } from "./monitor-status.ts";
import { scheduleText } from "./schedule-text.ts";
import { StatusBadge } from "./status-badge.tsx";

/** The widths of the columns, shared with the head of the list. */
export const STRIP_COLUMN = "hidden w-36 shrink-0 @min-[720px]:block";
export const TIME_COLUMN = "hidden w-28 shrink-0 truncate text-end @min-[720px]:block";

type Props = {
  monitor: Monitor;
  projectKey: string;
  /** The last 30 days; undefined while they load. */
  days: readonly MonitorDay[] | undefined;
  current: boolean;
  row: RowLinkProps;
};

/** A monitor on two lines: its name and status, then when it runs. */
export function MonitorRow({ monitor, projectKey, days, current, row }: Props) {
  const { name, slug, schedule, timezone } = monitor;
  const [last, next] = [lastCheckIn(monitor), nextDue(monitor)];
  return (
    <Row
      lines={2}
      current={current}
      className="h-auto! min-h-(--row-2) py-2"
      end={
        <>
          <span className={STRIP_COLUMN}>{days && <MonitorStrip days={days} />}</span>
          <span className={TIME_COLUMN}>
            <span className="sr-only">Last run </span>
            <Time at={last} as="row" of="Last run" />
          </span>
          <span className={TIME_COLUMN}>
            <span className="sr-only">Next run </span>
            <Time at={next} as="row" of="Next run" />
          </span>
        </>
      }
    >
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            {...row}
            to="/projects/$projectKey/monitors/$slug"
            params={{ projectKey, slug }}
            className={rowLink}
            title={name}
            draggable={false}
          >
            <RowText>{name}</RowText>
          </Link>
          <StatusBadge look={MONITOR_LOOKS[statusOf(monitor)]} />
        </div>
        <p className="relative mt-0.5 text-sm text-text-3 @min-[720px]:truncate">
          {scheduleText(schedule)}
          {schedule.type === "crontab" && ` · ${timezone}`}
          <span className="@min-[720px]:hidden">
            {last !== null && (
              <>
                {" · last run "}
                <Time at={last} as="row" />
              </>
            )}
            {next !== null && (
              <>
                {" · next run "}
                <Time at={next} as="row" />
              </>
            )}
          </span>
        </p>
      </div>
    </Row>
  );
}
