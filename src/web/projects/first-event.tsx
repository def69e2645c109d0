import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { firstGroupQuery } from "../data/errors/first-group.ts";
import { buttonClass } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { Time } from "../kit/dates/time.tsx";
import { OfferSourceMaps } from "./offer-source-maps.tsx";

/** Waits for the project's first event, then shows the latest. */
export function FirstEvent({ project }: { project: { id: number; key: string } }) {
  const { data: groups, error, refetch } = useQuery(firstGroupQuery(project.id));
  if (groups === undefined)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Spinner />;
  const [group] = groups;
  if (group === undefined)
    return (
      <p
        role="status"
        className="border-line bg-sunken text-text-2 flex items-center gap-2 rounded-md border px-3 py-3"
      >
        <Spinner />
        Waiting for the first event…
      </p>
    );
  const isFirst = groups.length === 1 && group.occurrence_count === 1;
  return (
    <>
      <div className="border-resolved bg-resolved-tint text-resolved flex flex-wrap items-center gap-2 rounded-md border px-3 py-3">
        <CircleCheck aria-hidden size={20} className="shrink-0" />
        <p role="status" className="min-w-0 flex-1 basis-60 wrap-anywhere sm:truncate">
          <strong>{isFirst ? "The first event has arrived:" : "Events arrive. The latest:"}</strong>{" "}
          <bdi>{group.exception_class}</bdi>
        </p>
        {/* Outside the status: its text changes every minute and is no news. */}
        <Time at={group.last_seen_at} className="text-sm" />
        <Link
          to="/projects/$projectKey/errors/$errorGroupId"
          params={{ projectKey: project.key, errorGroupId: String(group.id) }}
          className={buttonClass({ size: "sm" })}
        >
          View error
        </Link>
      </div>
      <OfferSourceMaps project={project} group={group} />
    </>
  );
}
