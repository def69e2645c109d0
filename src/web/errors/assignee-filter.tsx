import type { Project } from "../../shared/projects.ts";
import { nameOf, usePeople } from "../data/people.ts";
import { useProfile } from "../data/session.ts";
import { Avatar } from "../kit/avatar.tsx";
import type { Choice } from "../kit/choice.ts";
import { FilterSelect } from "../kit/filter-select.tsx";
import type { ListSearch } from "./use-view.ts";
import type { View } from "./view.ts";

type Props = { project: Project | null; view: View; change: (changes: ListSearch) => void };

/** The errors of the user, of nobody, or, within a project, of a person. */
export function AssigneeFilter({ project, ...rest }: Props) {
  return project === null ? (
    <Filter {...rest} people={NONE} />
  ) : (
    <OfProject {...rest} projectId={project.id} />
  );
}

function OfProject({ projectId, ...rest }: Omit<Props, "project"> & { projectId: number }) {
  const me = useProfile().id;
  const people = usePeople(projectId)
    .all.filter(({ user_id }) => user_id !== me)
    .map((person) => ({
      value: String(person.user_id),
      label: nameOf(person),
      hint: person.username,
      icon: <Avatar person={person} size={16} />,
    }));
  return <Filter {...rest} people={people} />;
}

const NONE: Choice<string>[] = [];

function Filter({ view, change, people }: Omit<Props, "project"> & { people: readonly Choice<string>[] }) {
  const me = useProfile();
  return (
    <FilterSelect
      label="Assignee"
      none="Everyone"
      value={view.assignee ?? ""}
      onChange={(assignee) => change({ assignee })}
      choices={[
        // The hint makes the search find one's own name.
        { value: "me", label: "Me", hint: `${nameOf(me)} ${me.username}` },
        { value: "none", label: "Nobody" },
        ...people,
      ]}
    />
  );
}
