import { Link } from "@tanstack/react-router";
import { ArrowRight, Check, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Home } from "../../shared/home.ts";
import type { Project } from "../../shared/projects.ts";
import { can, useProjects, useWorkspaces } from "../data/projects/projects.ts";
import { byRecency } from "../data/projects/recent-projects.ts";
import { useProfile } from "../data/account/session.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { wholeRow } from "../lists/row.tsx";
import { openDialog } from "../page/open-dialog.ts";
import { stored } from "../state/stored.ts";

type Step = { title: string; text: string; isDone: boolean; link: (title: ReactNode) => ReactNode };

/** The steps that the person may take; none once all are done or the list was dismissed in this browser. */
export function useFirstSteps(home: Home | undefined): { steps: Step[]; dismiss: () => void } {
  const dismissal = stored(`first-steps-dismissed:${useProfile().id}`, (value) => value === true, false);
  const [isDismissed, setDismissed] = useState(dismissal.read);
  const steps = useSteps(home?.first_steps);
  return {
    steps: isDismissed || steps.every(({ isDone }) => isDone) ? [] : steps,
    dismiss() {
      dismissal.write(true);
      setDismissed(true);
    },
  };
}

function useSteps(done: Home["first_steps"] | undefined): Step[] {
  const projects = byRecency(useProjects());
  const workspace = useWorkspaces().find(({ is_admin }) => is_admin);
  if (done === undefined) return [];
  const first = (may: (project: Project) => boolean) => projects.find(may)?.key;
  const errors = first((project) => project.features.error_tracking && can(project, "error-groups:read"));
  const reports = first((project) => project.features.reports && can(project, "reports:read"));
  const issues = first((project) => can(project, "issues:read") && can(project, "issues:create"));
  const steps: (Step | false)[] = [
    errors !== undefined && {
      title: "Send an error",
      text: "Connect an app with a few lines of code.",
      isDone: done.has_error === true,
      link: (title) => (
        <Link
          to="/projects/$projectKey/settings"
          params={{ projectKey: errors }}
          search={{ section: "ingestion" }}
          className={LINK}
        >
          {title}
        </Link>
      ),
    },
    reports !== undefined && {
      title: "Collect a report",
      text: "Write one, or send feedback from your app.",
      isDone: done.has_report === true,
      link: (title) => (
        <Link to="/projects/$projectKey/triage" params={{ projectKey: reports }} className={LINK}>
          {title}
        </Link>
      ),
    },
    workspace !== undefined && {
      title: "Invite someone",
      text: "By email or with a link.",
      isDone: done.has_invited === true,
      link: (title) => (
        <Link
          to="/workspaces/$workspaceId/settings"
          params={{ workspaceId: String(workspace.id) }}
          search={{ section: "invitations" }}
          className={LINK}
        >
          {title}
        </Link>
      ),
    },
    issues !== undefined && {
      title: "Plan an issue",
      text: "Put the first card on the board.",
      isDone: done.has_issue === true,
      link: (title) => (
        <Link
          to="/projects/$projectKey/board"
          params={{ projectKey: issues }}
          className={LINK}
          onClick={() => openDialog({ kind: "new-issue" })}
        >
          {title}
        </Link>
      ),
    },
  ];
  return steps.filter((step) => step !== false);
}

const LINK = `font-semibold ${wholeRow}`;

type Props = { steps: readonly Step[]; onDismiss: () => void };

/** What to do on the first day, each step with a tick once it is done. */
export function FirstSteps({ steps, onDismiss }: Props) {
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section
      aria-labelledby="first-steps"
      className="mx-4 max-w-296 overflow-hidden rounded-md border border-line bg-surface"
    >
      <div className="flex h-10 items-center gap-2 border-b border-line ps-4 pe-2">
        <h2 id="first-steps" className="font-semibold">
          First steps
        </h2>
        <span className="flex-1 text-text-3">
          {done} of {steps.length}
        </span>
        <IconButton size="sm" label="Dismiss first steps" icon={X} onClick={onDismiss} />
      </div>
      <ol className="-ms-px -mt-px grid sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ step: { title, text, isDone, link }, number }: { step: Step; number: number }) {
  return (
    <li className="group relative flex gap-3 border-s border-t border-line p-4 hover:bg-hover">
      {isDone ? (
        <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-resolved-tint text-resolved">
          <Check aria-hidden size={14} strokeWidth={2.5} />
        </span>
      ) : (
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-full border border-line-strong text-sm font-semibold text-text-2"
        >
          {number}
        </span>
      )}
      <span className="min-w-0 flex-1 pt-0.5">
        {link(title)}
        {isDone && <span className="sr-only"> (done)</span>}
        <span className="block text-text-2">{text}</span>
      </span>
      {!isDone && (
        <ArrowRight
          aria-hidden
          size={16}
          className="mt-1 shrink-0 text-text-3 group-hover:text-accent-text"
        />
      )}
    </li>
  );
}
