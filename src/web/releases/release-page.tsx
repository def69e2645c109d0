import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { ChevronDown, ExternalLink } from "lucide-react";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import type { ReleaseDetail } from "../../shared/releases.ts";
import { useProject } from "../data/projects/projects.ts";
import { releaseQuery } from "../data/errors/releases.ts";
import { Button } from "../kit/button.tsx";
import { countOf, exactCount } from "../kit/count-text.ts";
import { cx } from "../kit/cx.ts";
import { deferredPart } from "../kit/lazy-part.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { PageTitle } from "../kit/page-title.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Time } from "../kit/dates/time.tsx";
import { GroupLine } from "../lifecycle/group-line.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";

const ReleaseHealth = deferredPart(async () => (await import("./release-health.tsx")).ReleaseHealth);
const SourceMaps = deferredPart(async () => (await import("./source-maps/source-maps.tsx")).SourceMaps);

/** A release: its deploys, its health, the errors it introduced and brought back, those it fixed, and its source maps. */
export function ReleasePage() {
  const project = useProject();
  const params = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const version = params.version ?? search.version ?? "";
  const { data: release, error, refetch } = useQuery(releaseQuery(project.id, version, search.environment));
  const isGone = error !== null && "status" in error && error.status === 404;
  const shown = isGone ? undefined : release;
  return (
    <>
      <PageHeader
        title={version}
        titled={shown !== undefined}
        crumbs={[
          <ProjectCrumb key="project" project={project} />,
          <Link key="releases" to="/projects/$projectKey/releases" params={{ projectKey: project.key }}>
            Releases
          </Link>,
        ]}
      />
      {shown ? (
        <LoadedRelease project={project} release={shown} />
      ) : error ? (
        <QueryError error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={6} lines={2} label="Loading the release" />
      )}
    </>
  );
}

/** On a phone, the deploys come before the errors, of which there may be many. */
function LoadedRelease({ project, release }: { project: Project; release: ReleaseDetail }) {
  return (
    <div className="grid flex-1 grid-cols-1 grid-rows-[auto_auto_1fr] md:grid-cols-[minmax(0,1fr)_288px] md:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_360px]">
      <div className="flex min-w-0 flex-col gap-1 p-4">
        <PageTitle>{release.version}</PageTitle>
        <p className="text-text-2">
          {release.first_seen_at === null ? (
            "Not seen yet: it has neither sent an event nor been deployed."
          ) : (
            <>
              First seen <Time at={release.first_seen_at} /> ·{" "}
              <Link
                to="/projects/$projectKey/errors"
                params={{ projectKey: project.key }}
                search={{ tab: "all", release: release.version }}
                className="text-accent-text underline"
              >
                {countOf(release.events, "event")}
              </Link>
            </>
          )}
        </p>
      </div>
      <aside
        aria-label="Deploys"
        className="border-line bg-surface p-4 max-md:border-y md:col-start-2 md:row-span-2 md:row-start-1 md:border-s"
      >
        <h2 className="mb-2 font-semibold">Deploys</h2>
        <Deploys release={release} />
      </aside>
      <div className="flex min-w-0 flex-col gap-6 p-4 md:col-start-1 md:pt-2">
        {release.environments.length > 0 && (
          <Suspense fallback={<Skeleton rows={6} label="Loading health" />}>
            <ReleaseHealth projectId={project.id} release={release} />
          </Suspense>
        )}
        {sectionsOf(release).map((section) => (
          <Groups key={section.title} project={project} {...section} />
        ))}
        {isInPath(release.version) && (
          <Suspense fallback={null}>
            <SourceMaps project={project} version={release.version} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** Browsers resolve these names in the addresses of source maps. */
const isInPath = (version: string) => version !== "." && version !== "..";

const sectionsOf = (release: ReleaseDetail) => [
  {
    title: "New errors",
    tone: "before:bg-open",
    none: "This release introduced no errors.",
    count: release.new_groups,
    groups: release.introduced,
  },
  {
    title: "Regressed errors",
    tone: "before:bg-regressed",
    none: "No resolved error came back in this release.",
    count: release.regressed_groups,
    groups: release.regressed,
  },
  {
    title: "Fixed errors",
    tone: "before:bg-resolved",
    none: "No errors were resolved in this release.",
    count: release.resolved_groups,
    groups: release.resolved,
  },
];

/** How many errors of each kind are shown first, so that the other kinds are not far below. */
const FEW = 10;

type GroupsProps = {
  title: string;
  /** The color of the list's edge. */
  tone: string;
  none: string;
  /** Also counts groups that are not in `groups`: those deleted since and those beyond the first hundred. */
  count: number;
  groups: readonly ErrorGroupListItem[];
  project: Project;
};

/** A list with a colored edge, which is no border: borders are hairlines. */
const EDGED =
  "@container relative rounded-md border border-line bg-surface before:absolute before:inset-y-0 before:start-0 before:z-1 before:w-0.5 before:rounded-s-md";

function Groups({ title, tone, none, count, groups, project }: GroupsProps) {
  const [all, setAll] = useState(groups.length <= FEW + 2);
  const list = useRef<HTMLUListElement>(null);
  const showAll = () => {
    flushSync(() => setAll(true));
    // The button has disappeared.
    list.current?.children[FEW]?.querySelector("a")?.focus();
  };
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="font-semibold">
        {title} <span className="font-normal text-text-3">{exactCount(count)}</span>
      </h2>
      {groups.length === 0 ? (
        <p className="text-text-3">{count === 0 ? none : "They have been deleted since."}</p>
      ) : (
        <ul ref={list} className={cx(EDGED, tone)}>
          {groups.slice(0, all ? undefined : FEW).map((group) => (
            <GroupLine key={group.id} project={project} group={group} />
          ))}
        </ul>
      )}
      {!all && (
        <Button size="sm" variant="quiet" icon={ChevronDown} className="self-start" onClick={showAll}>
          Show all {exactCount(groups.length)} {title.toLowerCase()}
        </Button>
      )}
      {all && groups.length > 0 && groups.length < count && (
        <p className="text-sm text-text-3">
          {exactCount(groups.length)} of {exactCount(count)} are listed.
        </p>
      )}
    </section>
  );
}

function Deploys({ release }: { release: ReleaseDetail }) {
  if (release.deploys.length === 0) return <p className="text-text-3">No deploys were recorded.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {release.deploys.map(({ environment, deployed_at, commit, url }) => (
        <li key={`${environment} ${deployed_at}`} className="min-w-0">
          <p className="flex min-w-0 justify-between gap-3">
            <bdi className="min-w-0 truncate font-medium">{environment ?? "No environment"}</bdi>
            <Time at={deployed_at} className="shrink-0 text-text-2" />
          </p>
          {(commit !== null || url !== null) && (
            <p className="flex min-w-0 items-center gap-3 text-sm text-text-2">
              {commit !== null && (
                <code className="min-w-0 truncate" title={commit}>
                  {/^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 10) : commit}
                </code>
              )}
              {url !== null && (
                <DeployLink url={url}>
                  Open deploy
                  {environment !== null && <span className="sr-only"> to {environment}</span>}
                </DeployLink>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

const DeployLink = ({ url, children }: { url: string; children: ReactNode }) => (
  <a
    href={url}
    target="_blank"
    rel="noopener noreferrer"
    className="inline-flex min-h-6 shrink-0 items-center gap-1 rounded-sm text-accent-text hover:underline"
  >
    <span>{children}</span>
    <ExternalLink aria-hidden size={12} />
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
);
