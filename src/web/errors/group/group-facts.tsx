import { type ReactNode, Suspense } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { can } from "../../data/projects/projects.ts";
import { Breakable } from "../../kit/breakable.tsx";
import { exactCount } from "../../kit/count-text.ts";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { ReleaseLink } from "../../page/release-link.tsx";
import { contextFacts, memoryText, nameAndVersion } from "./facts.ts";
import { ImportedFrom } from "../../marks/imported-from.tsx";
import { LinkedIssue } from "./linked-issue.tsx";
import { useShownEvent } from "./use-shown-event.ts";

const IssueLinker = deferredPart(async () => (await import("../status/issue-linker.tsx")).IssueLinker);

/** Facts about the group and the event that is shown. */
export function GroupFacts({ group, project }: { group: ErrorGroup; project: Project }) {
  const mayLink = can(project, "error-groups:update") && can(project, "issues:read");
  return (
    <>
      <Section title="Overview">
        <Facts>
          {(group.linked_issue_id !== null || mayLink) && (
            <Fact name="Issue" noPrint={group.linked_issue_id === null}>
              <span className="-my-1 flex min-h-7 min-w-0 items-center gap-1">
                {group.linked_issue_id !== null && (
                  <LinkedIssue project={project} issueId={group.linked_issue_id} />
                )}
                {mayLink && (
                  <Suspense fallback={null}>
                    <IssueLinker group={group} project={project} />
                  </Suspense>
                )}
              </span>
            </Fact>
          )}
          {group.owners.length > 0 && (
            <Fact name="Code owners">
              {group.owners
                .map((owner) => `@${"username" in owner ? owner.username : owner.name}`)
                .join(", ")}
            </Fact>
          )}
          {group.imported_from && (
            <Fact name="Origin">
              <ImportedFrom origin={group.imported_from} />
            </Fact>
          )}
          <Fact name="Events">{exactCount(group.occurrence_count)}</Fact>
          <Fact name="Affected users">
            {group.affected_users === null ? (
              <>
                <span aria-hidden>—</span>
                <span className="block text-sm text-text-3">Unknown: no recent event includes a user.</span>
              </>
            ) : (
              exactCount(group.affected_users)
            )}
          </Fact>
          <Fact name="Environment">{group.environment}</Fact>
          <Fact name="First seen">
            <Time at={group.first_seen_at} />
            <InRelease project={project} version={group.release} />
          </Fact>
          <Fact name="Last seen">
            <Time at={group.last_seen_at} />
            <InRelease project={project} version={group.last_release} />
          </Fact>
        </Facts>
      </Section>
      <EventFacts group={group} />
    </>
  );
}

/** The code and the memory are known only of the latest event. */
function EventFacts({ group }: { group: ErrorGroup }) {
  const { event, isLatest, isLoading } = useShownEvent(group);
  const shown = isLatest || event === undefined ? group : event;
  const memory = memoryText(group.memory_peak_bytes, group.memory_limit_bytes);
  // The group includes the facts of its latest event.
  if (isLoading && !isLatest) return <Section title="Event">{null}</Section>;
  return (
    <Section
      title={shown === group ? "Latest event" : `Event ${event?.position} of ${group.kept_events_count}`}
    >
      <Facts>
        {contextFacts(shown.context).map(([name, value]) => (
          <Fact key={name} name={name}>
            <Breakable text={value} />
          </Fact>
        ))}
        {shown === group && <Fact name="Code">{group.exception_code}</Fact>}
        <Fact name="Runtime">{nameAndVersion(shown.runtime)}</Fact>
        <Fact name="Framework">{nameAndVersion(shown.framework)}</Fact>
        {shown === group && (
          <Fact name="Memory peak">
            {memory}
            <MemoryBar peak={group.memory_peak_bytes} limit={group.memory_limit_bytes} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function InRelease({ project, version }: { project: Project; version: string | null }) {
  if (version === null) return null;
  return (
    <span className="text-text-3 [&_a]:underline">
      {" in "}
      <ReleaseLink project={project} version={version} />
    </span>
  );
}

function MemoryBar({ peak, limit }: { peak: number | null; limit: number | null }) {
  if (peak === null || limit === null || limit === 0) return null;
  const share = Math.min(1, peak / limit);
  return (
    <span aria-hidden className="mt-1 block h-1 rounded-full bg-line">
      <span
        className={`block h-1 rounded-full ${share >= 0.9 ? "bg-bar-hot" : "bg-bar"}`}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}

/** A section of the sidebar. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-4 last:border-b-0">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-1.5">{children}</dl>
);

type FactProps = {
  name: string;
  /** For a fact that has only controls, which are not printed. */
  noPrint?: boolean;
  children: ReactNode;
};

/** A value that was not sent is shown as "—". */
function Fact({ name, noPrint, children }: FactProps) {
  const isMissing = children === null || (Array.isArray(children) && children[0] === null);
  return (
    <>
      <dt data-no-print={noPrint || undefined} className="text-text-3">
        {name}
      </dt>
      <dd data-no-print={noPrint || undefined} className="min-w-0 wrap-anywhere">
        {isMissing ? (
          <>
            <span aria-hidden>—</span>
            <span className="sr-only">not sent</span>
          </>
        ) : (
          children
        )}
      </dd>
    </>
  );
}
