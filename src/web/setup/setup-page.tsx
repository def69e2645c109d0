import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { ApiError } from "../api/client.ts";
import { projectsQuery } from "../data/projects/projects.ts";
import { profileQuery, setupQuery } from "../data/account/session.ts";
import { ProjectForm } from "../projects/project-form.tsx";
import { PublicPage } from "../session/public-frame.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { AdministratorStep } from "./administrator-step.tsx";
import { FirstEventStep } from "./first-event-step.tsx";
import { MailStep } from "./mail-step.tsx";

const STEPS = ["Account and workspace", "Email", "First project", "First event"];

/**
 * First-run setup: administrator, email test, first project, first event. The step follows from what exists already;
 * the URL tells the email step from the project step, so that a reload stays on its step.
 */
export function SetupPage() {
  const search = useSearch({ from: "/setup" });
  const navigate = useNavigate();
  const setup = useQuery(setupQuery);
  const profile = useQuery({ ...profileQuery, enabled: setup.data?.required === false });
  const projects = useQuery({ ...projectsQuery, enabled: profile.data !== undefined });
  const go = (step: string, project?: string) =>
    void navigate({ to: "/setup", search: { step, ...(project === undefined ? {} : { project }) } });

  if (setup.data?.required)
    return (
      <Step number={1} lead="This is a new installation. The first user becomes its administrator.">
        <AdministratorStep token={search.token} onDone={() => go("mail")} />
      </Step>
    );
  const error = setup.error ?? (isUnauthorized(profile.error) ? null : profile.error) ?? projects.error;
  if (error)
    return (
      <PublicPage title="Set up Signalbox">
        <ErrorState
          error={error}
          retry={() => void Promise.all([setup, profile, projects].map((query) => query.refetch()))}
        />
      </PublicPage>
    );
  if (profile.error) return <Navigate to="/sign-in" replace />;
  if (!setup.data || !profile.data || !projects.data)
    return (
      <PublicPage title="Set up Signalbox">
        <Spinner label="Loading" />
      </PublicPage>
    );
  if (!profile.data.is_admin) return <Navigate to="/" replace />;
  const project = projects.data.find(({ key }) => key === search.project) ?? projects.data[0];
  if (project)
    return (
      <Step number={4} lead="Paste this into your app or a terminal and watch the event arrive.">
        <FirstEventStep project={project} />
      </Step>
    );
  if (search.step === "project")
    return (
      <Step number={3} lead="A project holds the reports, errors and issues of one product.">
        <ProjectForm onDone={({ key }) => go("event", key)} />
      </Step>
    );
  return (
    <Step
      number={2}
      lead="Signalbox sends invitations and notifications by email if a mail server is configured."
    >
      <MailStep onDone={() => go("project")} />
    </Step>
  );
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401;

function Step({ number, lead, children }: { number: number; lead: string; children: ReactNode }) {
  const shown = useRef(number);
  useEffect(() => {
    // The button that was pressed is gone. A step may move the focus to a field itself.
    if (shown.current !== number && document.activeElement === document.body)
      document.querySelector("h1")?.focus();
    shown.current = number;
  }, [number]);
  return (
    <PublicPage
      title={STEPS[number - 1] ?? ""}
      lead={lead}
      width={number === 4 ? "max-w-220" : "max-w-sm"}
      foot={
        <ol className="flex gap-3 text-sm" aria-label="Steps">
          {STEPS.map((name, index) => (
            <li
              key={name}
              aria-current={index + 1 === number ? "step" : undefined}
              className="aria-[current]:font-semibold"
            >
              {index + 1}
              <span className="sr-only sm:not-sr-only sm:ml-1">{name}</span>
            </li>
          ))}
        </ol>
      }
    >
      {children}
    </PublicPage>
  );
}
