import {
  ExternalLink,
  GitCommitHorizontal,
  GitMerge,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestDraft,
} from "lucide-react";
import type { GitLink } from "../../shared/git.ts";
import type { Project } from "../../shared/projects.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { Time } from "../kit/dates/time.tsx";
import { IconSlot } from "../kit/icon.tsx";
import { SectionHead } from "../kit/section-head.tsx";
import { ReleaseLink } from "../page/release-link.tsx";

/** The commits and requests that name an issue or an error, newest first. */
export function GitLinks({ project, links }: { project: Project; links: readonly GitLink[] }) {
  if (links.length === 0) return null;
  return (
    <section aria-label="Development" className="flex min-w-0 flex-col gap-1">
      <SectionHead title="Development" isEmpty={false} />
      <ul className="flex flex-col rounded-md border border-line bg-surface">
        {links.toReversed().map((link) => (
          <LinkLine key={`${link.repository} ${link.kind} ${link.ref}`} project={project} link={link} />
        ))}
      </ul>
    </section>
  );
}

const STATES = {
  open: { icon: GitPullRequest, label: "Open", tone: "open" },
  draft: { icon: GitPullRequestDraft, label: "Draft", tone: "neutral" },
  merged: { icon: GitMerge, label: "Merged", tone: "resolved" },
  closed: { icon: GitPullRequestClosed, label: "Closed", tone: "ignored" },
} as const;

const REVIEWS = {
  requested: { label: "In review", tone: "neutral" },
  approved: { label: "Approved", tone: "resolved" },
  changes_requested: { label: "Changes requested", tone: "warn" },
} as const;

const CHECKS = {
  pending: { label: "Checks running", tone: "neutral" },
  passing: { label: "Checks passed", tone: "resolved" },
  failing: { label: "Checks failed", tone: "danger" },
} as const;

const HASH_LENGTH = 10;

function LinkLine({ project, link }: { project: Project; link: GitLink }) {
  const { kind, repository, ref, title, url, author_name, release, created_at } = link;
  const state = link.state === null ? undefined : STATES[link.state];
  const badges: ({ label: string; tone: Tone } | undefined)[] = [
    state,
    link.review === null ? undefined : REVIEWS[link.review],
    link.checks === null ? undefined : CHECKS[link.checks],
  ];
  return (
    <li className="flex min-h-10 min-w-0 items-start gap-3 px-3 py-1.5 not-last:border-b not-last:border-line">
      <span className="mt-1 shrink-0 text-text-3">
        <IconSlot icon={state?.icon ?? GitCommitHorizontal} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col">
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="flex min-w-0 items-center gap-1 rounded-sm leading-6 hover:underline"
        >
          <bdi className="min-w-0 truncate" title={title}>
            {title}
          </bdi>
          <ExternalLink aria-hidden size={12} className="shrink-0 text-text-3" />
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
        <p className="flex min-w-0 flex-wrap gap-x-2 text-sm text-text-3">
          <span className="wrap-anywhere">
            {repository} {kind === "request" ? `#${ref}` : ref.slice(0, HASH_LENGTH)}
          </span>
          {author_name !== null && <bdi>{author_name}</bdi>}
          <Time at={created_at} as="row" />
          {release !== null && (
            <span>
              in <ReleaseLink project={project} version={release} />
            </span>
          )}
        </p>
      </div>
      <span className="flex shrink-0 flex-wrap justify-end gap-1 max-sm:max-w-32">
        {badges.map(
          (badge) =>
            badge && (
              <Badge key={badge.label} tone={badge.tone}>
                {badge.label}
              </Badge>
            ),
        )}
      </span>
    </li>
  );
}
