import { useQuery } from "@tanstack/react-query";
import { nameOf, peopleQuery } from "../data/people.ts";
import { useProfile } from "../data/session.ts";
import { Avatar } from "../kit/avatar.tsx";
import type { Choice } from "../kit/choice.ts";

/** For a filter: the user, nobody, or, within a project, a person. */
export function useAssigneeChoices(projectId: number | null): Choice<string>[] {
  const me = useProfile();
  const { data } = useQuery({ ...peopleQuery(projectId ?? 0), enabled: projectId !== null });
  const people = projectId === null ? [] : (data ?? []).filter(({ user_id }) => user_id !== me.id);
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
