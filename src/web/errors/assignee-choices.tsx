import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../shared/projects.ts";
import { nameOf, peopleQuery } from "../data/people.ts";
import { useProfile } from "../data/session.ts";
import { Avatar } from "../kit/avatar.tsx";
import type { Choice } from "../kit/choice.ts";

/** The errors of the user, of nobody, or, within a project, of a person. */
export function useAssigneeChoices(project: Project | null): Choice<string>[] {
  const me = useProfile();
  const { data } = useQuery({ ...peopleQuery(project?.id ?? 0), enabled: project !== null });
  const people = project === null ? [] : (data ?? []).filter(({ user_id }) => user_id !== me.id);
  return [
    // The hint makes the search find one's own name.
    { value: "me", label: "Me", hint: `${nameOf(me)} ${me.username}` },
    { value: "none", label: "Nobody" },
    ...people.map((person) => ({
      value: String(person.user_id),
      label: nameOf(person),
      hint: person.username,
      icon: <Avatar person={person} size={16} />,
    })),
  ];
}
