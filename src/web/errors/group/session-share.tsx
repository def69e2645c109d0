import { useQuery } from "@tanstack/react-query";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { sessionsWithErrorQuery } from "../../data/errors/releases.ts";
import { countOf } from "../../kit/count-text.ts";
import { shareText } from "../../releases/health-text.ts";
import { Section } from "./group-facts.tsx";

/** Which share of the project's sessions the error can have hit; nothing if no session was sent. */
export function SessionShare({ group, project }: { group: ErrorGroup; project: Project }) {
  const { data } = useQuery(sessionsWithErrorQuery(project.id, group.id));
  if (data === undefined || data.sessions === 0) return null;
  const { days, events, sessions } = data;
  const counted = `${countOf(events, "event")} in ${countOf(sessions, "session")} of the last ${days} days`;
  return (
    <Section title="Sessions">
      <p>
        {events === 0 ? "Hit none" : `Hit at most ${shareText(Math.min(1, events / sessions))}`}
        <span className="block text-sm text-text-3">{counted}</span>
      </p>
    </Section>
  );
}
