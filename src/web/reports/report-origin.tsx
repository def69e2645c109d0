import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import type { ReportOrigin as Origin } from "../../shared/feedback.ts";
import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";
import { ReleaseLink } from "../page/release-link.tsx";

/** Where a report from outside was written: page, browser, release and tags. Nothing if none of them is known. */
export function ReportOrigin({ project, origin }: { project: Project; origin: Origin }) {
  const { tags, ...facts } = origin;
  const { page, browser, viewport, language, release, environment } = facts;
  const readsReleases = project.features.error_tracking && can(project, "error-groups:read");
  const tagList = Object.entries(tags);
  if (tagList.length === 0 && Object.values(facts).every((fact) => fact === null)) return null;
  return (
    <dl
      aria-label="Where it was written"
      className="grid max-w-read grid-cols-[92px_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-md border border-line bg-canvas px-3 py-2 text-sm"
    >
      {page !== null && (
        <Fact name="Page">
          <a
            href={page}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="rounded-sm text-accent-text [overflow-wrap:anywhere] hover:underline"
          >
            {page.replace(/^https?:\/\//i, "")}
            <ExternalLink aria-hidden size={12} className="ms-1 inline-block align-[-1px] text-text-3" />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </Fact>
      )}
      {browser !== null && <Fact name="Browser">{browser}</Fact>}
      {viewport !== null && <Fact name="Window">{viewport.replace("x", " × ")}</Fact>}
      {language !== null && <Fact name="Language">{language}</Fact>}
      {release !== null && (
        <Fact name="Release">
          {readsReleases ? <ReleaseLink project={project} version={release} /> : release}
        </Fact>
      )}
      {environment !== null && <Fact name="Environment">{environment}</Fact>}
      {tagList.length > 0 && (
        <Fact name="Tags">
          <ul aria-label="Tags" className="flex flex-wrap gap-1">
            {tagList.map(([key, value]) => (
              <li
                key={key}
                dir="auto"
                className="max-w-full truncate rounded-sm bg-ignored-tint px-1.5 text-text-2"
                title={`${key}: ${value}`}
              >
                {key}: {value}
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
        {children}
      </dd>
    </>
  );
}
