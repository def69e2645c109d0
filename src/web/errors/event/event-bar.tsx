import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { KeptEvent } from "../../../shared/kept-events.ts";
import type { Project } from "../../../shared/projects.ts";
import { Button } from "../../kit/button.tsx";
import { countOf, exactCount } from "../../kit/count-text.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { ReleaseLink } from "../../page/release-link.tsx";

type Props = {
  group: ErrorGroup;
  project: Project;
  event: KeptEvent | undefined;
  isLatest: boolean;
  /** The event in the address is no longer kept. */
  isGone: boolean;
  onChoose: (id: number | "latest") => void;
};

/** Which kept event is shown, and buttons for older and newer ones. */
export function EventBar({ group, project, event, isLatest, isGone, onChoose }: Props) {
  const older = event?.previous_id ?? null;
  const newer = event?.next_id ?? null;
  return (
    <div
      role="group"
      aria-label="Event"
      className="@container rounded-md border border-line bg-surface py-0.5 ps-3 pe-1"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 @max-[560px]:pb-1">
        <span className="font-semibold @max-[560px]:flex-1">{isLatest ? "Latest event" : "Event"}</span>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 text-sm text-text-2 @max-[560px]:order-1 @max-[560px]:basis-full">
          {isGone && <span>The event of this link is no longer kept.</span>}
          {event && (
            <>
              <Time at={event.received_at} />
              <span>{event.level}</span>
              {event.release !== null && (
                <span className="wrap-anywhere">
                  <ReleaseLink project={project} version={event.release} />
                </span>
              )}
              {event.host !== null && <span className="wrap-anywhere">{event.host}</span>}
              {event.user !== null && (
                <span title="The same user has the same name in all events of this error.">{event.user}</span>
              )}
            </>
          )}
          <span className="text-text-3">
            {`${exactCount(group.kept_events_count)} of ${countOf(group.occurrence_count, "event")} kept`}
          </span>
        </span>
        <span className="flex items-center gap-1">
          {!isLatest && (
            <Button size="sm" variant="quiet" onClick={() => onChoose("latest")}>
              Latest
            </Button>
          )}
          {event && (
            <span className="text-sm text-text-3">{`${event.position} of ${Math.max(event.position, group.kept_events_count)}`}</span>
          )}
          <IconButton
            size="sm"
            label="Older event"
            icon={ChevronLeft}
            disabled={older === null}
            onClick={() => older !== null && onChoose(older)}
          />
          <IconButton
            size="sm"
            label="Newer event"
            icon={ChevronRight}
            disabled={newer === null}
            onClick={() => newer !== null && onChoose(newer)}
          />
        </span>
      </div>
    </div>
  );
}
