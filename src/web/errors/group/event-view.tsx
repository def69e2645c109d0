import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { KeptEvent } from "../../../shared/kept-events.ts";
import type { Project } from "../../../shared/projects.ts";
import { mappedTrace } from "../../../shared/stack-trace/mapped-trace.ts";
import { keptEventQuery } from "../../data/errors/kept-events.ts";
import { CopyButton } from "../../kit/copy-button.tsx";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { EventBar } from "../event/event-bar.tsx";
import { ExceptionChain } from "../event/exception-chain.tsx";
import { groupMarkdown } from "./group-markdown.ts";
import { LongText } from "../event/long-text.tsx";
import { MappingNotice } from "../event/mapping-notice.tsx";
import { ModeButtons } from "../event/mode-buttons.tsx";
import { useShownCode } from "../event/shown-code.ts";
import { SourceContext } from "../event/source-link.tsx";
import { TraceView } from "../event/trace-view.tsx";
import { useShownEvent } from "./use-shown-event.ts";

const CODES = [
  { value: "original", label: "Original" },
  { value: "minified", label: "Minified" },
] as const;

const EventDetails = deferredPart(async () => (await import("../event/event-details.tsx")).EventDetails);

/**
 * One event of the group: the one in the page's address, or the latest. The others are reached one by one.
 */
export function EventView({ group, project }: { group: ErrorGroup; project: Project }) {
  const { event, isLatest: isShownAsLatest, isLoading, isGone, choose } = useShownEvent(group);
  const isLatest = isShownAsLatest || event === undefined;
  const trace = isLatest ? group.latest_stack_trace : event.stack_trace;
  const source = useMemo(
    () => ({
      pattern: project.repository_url_pattern,
      release: isLatest ? group.last_release : event.release,
      frames: event?.frames ?? [],
    }),
    [project.repository_url_pattern, isLatest, group.last_release, event],
  );
  const [code, setCode] = useShownCode();
  const client = useQueryClient();
  const latest = isLatest
    ? event
    : client.getQueryData(keptEventQuery(project.id, group.id, "latest").queryKey);
  const causes = isLatest ? group.previous_exceptions : event.previous_exceptions;
  return (
    <SourceContext value={source}>
      <section aria-labelledby="trace" className="flex flex-col gap-2">
        {(group.kept_events_count > 0 || isGone) && (
          <EventBar {...{ group, project, event, isGone }} isLatest={isShownAsLatest} onChoose={choose} />
        )}
        {!isLatest && event.message !== group.latest_message && (
          <LongText text={event.message} none="No message." />
        )}
        <div className="flex flex-wrap items-center gap-2">
          <h2 id="trace" className="flex-1 font-semibold">
            Stack trace
          </h2>
          {source.frames.some(({ original }) => original !== undefined) && (
            <ModeButtons label="Code" modes={CODES} value={code} onChange={setCode} />
          )}
          <CopyButton words label="Copy as Markdown" text={() => markdownOf(group, project, latest)} />
        </div>
        {!isLoading && <MappingNotice project={project} frames={source.frames} release={source.release} />}
        {isLoading ? (
          // The frames would move when their source lines arrive.
          <div className="min-h-80 rounded-md border border-line bg-surface">
            <Skeleton label="Loading the stack trace" />
          </div>
        ) : (
          <TraceView hasSource trace={trace} label="Stack trace" />
        )}
      </section>
      {!isLoading && <ExceptionChain causes={causes} />}
      {event && (
        <Suspense fallback={null}>
          <EventDetails event={event} group={group} project={project} />
        </Suspense>
      )}
    </SourceContext>
  );
}

function markdownOf(group: ErrorGroup, { key }: Project, latest: KeptEvent | undefined): string {
  const latest_stack_trace = mappedTrace(group.latest_stack_trace, latest?.frames ?? []);
  const address = `${location.origin}/projects/${key}/errors/${group.id}`;
  return groupMarkdown({ ...group, latest_stack_trace }, address);
}
