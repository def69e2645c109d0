import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { codeOwnersQuery, saveCodeOwners } from "../../data/integrations/git.ts";
import { peopleQuery } from "../../data/projects/people.ts";
import { projectTeamsQuery } from "../../data/projects/project-settings.ts";
import { errorOf } from "../../forms/form-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { reasonOf } from "../../forms/reason.ts";
import { SaveButton } from "../../forms/save-button.tsx";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { countOf } from "../../kit/count-text.ts";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { toast } from "../../kit/notices/toast.ts";
import { Textarea } from "../../kit/textarea.tsx";
import { findProblems } from "./code-owners-problems.ts";

/** Who owns which files: errors show their owners, and alert rules can assign them. */
export function CodeOwnersPanel({ project }: { project: Project }) {
  const saved = useQuery(codeOwnersQuery(project.id));
  return (
    <Panel
      title="Code owners"
      lead="Paste the CODEOWNERS file of your repository. Errors show the owners of the file in which they occur, and alert rules can assign them."
      padded
    >
      <Loaded query={saved} rows={3}>
        {(text) => <CodeOwnersForm project={project} saved={text} />}
      </Loaded>
    </Panel>
  );
}

const EXAMPLE = "*.ts @ada\n/src/checkout/ @payments\nsrc/mail/ bob@example.com";

function CodeOwnersForm({ project, saved }: { project: Project; saved: string }) {
  const [edited, setEdited] = useState<string>();
  const text = edited ?? saved;
  const save = useSend<string>({
    send: (value) => saveCodeOwners(project.id, value),
    stale: [
      ["code_owners", project.id],
      ["error_group", project.id],
    ],
    onDone: (_answer, sent) => {
      // Keep what was typed while the request was in flight.
      setEdited((now) => (now === sent ? undefined : now));
      toast({ title: "Saved", tone: "success" });
    },
  });
  const isChanged = text !== saved;
  const error = errorOf(save.error, "code_owners");
  return (
    <SettingsForm
      dirty={isChanged && !save.isPending}
      error={save.error}
      onSubmit={() => {
        if (isChanged && !save.isPending) save.mutate(text);
      }}
    >
      <FormError>{save.error && !error && reasonOf(save.error)}</FormError>
      <Field
        label="CODEOWNERS"
        optional
        error={error}
        hint="One pattern per line, followed by its owners: usernames, email addresses or @teams. The last matching line counts."
      >
        <Textarea
          value={text}
          onChange={(event) => {
            // The error is about what was sent.
            if (save.isError) save.reset();
            setEdited(event.target.value);
          }}
          placeholder={EXAMPLE}
          rows={5}
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <Problems project={project} text={text} />
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}

/** More would hide the button that saves. */
const MAX_PROBLEMS = 20;

/** The lines that do not do what they say. They are no errors: the file may be meant for another place as well. */
function Problems({ project, text }: { project: Project; text: string }) {
  const people = useQuery(peopleQuery(project.id)).data;
  const teams = useQuery(projectTeamsQuery(project.id)).data;
  const checked = useDeferredValue(text);
  const problems = useMemo(() => {
    if (people === undefined || teams === undefined) return [];
    const usernames = people.map(({ username }) => username);
    return findProblems(checked, { usernames, teams: teams.map(({ name }) => name) });
  }, [checked, people, teams]);
  if (problems.length === 0) return null;
  const more = problems.length - MAX_PROBLEMS;
  return (
    <div className="bg-warn-tint text-warn rounded-md px-3 py-2 text-sm">
      <h3 className="font-medium">{countOf(problems.length, "problem", "problems")}</h3>
      <ul aria-label="Problems of CODEOWNERS">
        {problems.slice(0, MAX_PROBLEMS).map(({ line, text: problem }) => (
          <li key={`${line} ${problem}`} dir="auto" className="[overflow-wrap:anywhere]">
            <span className="tabular-nums">Line {line}:</span> {problem}
          </li>
        ))}
        {more > 0 && <li>{`and ${more} more`}</li>}
      </ul>
    </div>
  );
}
