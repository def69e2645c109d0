import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useMemo } from "react";
import type { Workspace, WorkspaceMember } from "../../shared/workspaces.ts";
import { nameOf } from "../data/projects/people.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../forms/panel.tsx";
import { Button, buttonClass } from "../kit/button.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { PersonRow } from "./person-row.tsx";
import { workspaceMembersQuery } from "../data/projects/workspaces.ts";

/** With this many people or more, there is a search field. */
const MANY = 8;

export function PeopleSection({ workspace }: { workspace: Workspace }) {
  const people = useQuery(workspaceMembersQuery(workspace.id));
  const { query = "" } = useSearch({ from: "/app/workspaces/$workspaceId/settings" });
  const navigate = useNavigate();
  const find = (text: string) =>
    void navigate({ to: ".", search: { section: "people", query: text }, replace: true });
  const found = useMemo(() => matching(people.data ?? [], query), [people.data, query]);
  return (
    <Panel
      title="People"
      lead="Administrators can do everything in the workspace and all its projects. Deactivated people have no access, but keep their name, roles and teams."
      actions={
        workspace.is_admin && (
          <Link to="." search={{ section: "invitations" }} className={buttonClass({ variant: "primary" })}>
            <UserPlus aria-hidden size={16} />
            Invite people
          </Link>
        )
      }
    >
      <Loaded query={people}>
        {(list) => (
          <>
            {(list.length >= MANY || query !== "") && (
              <search className="border-line block border-b p-2">
                <SearchField
                  label="Find people"
                  placeholder="Name or username"
                  value={query}
                  onChange={find}
                />
              </search>
            )}
            {found.length === 0 ? (
              <PanelEmpty action={<Button onClick={() => find("")}>Clear filters</Button>}>
                No people match “{query}”.
              </PanelEmpty>
            ) : (
              <PanelList label="People">
                {found.map((person) => (
                  <PersonRow key={person.user_id} workspace={workspace} person={person} />
                ))}
              </PanelList>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function matching(people: readonly WorkspaceMember[], query: string): readonly WorkspaceMember[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return people;
  return people.filter((person) => {
    const text = `${nameOf(person)} ${person.username}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
