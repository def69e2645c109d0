import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { createProject } from "../data/projects/change-project.ts";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { Button } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { Select } from "../kit/select.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { workspacesQuery } from "../data/projects/projects.ts";
import { LIFECYCLE, type LifecycleSetting } from "./lifecycle.ts";
import { suggestKey } from "./suggest-key.ts";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";

type NewProject = {
  name: string;
  key: string;
  description?: string;
  workspace_id?: number;
  lifecycle: Partial<Project["lifecycle"]>;
};

const PLACED = ["name", "key", "description", "workspace_id"];

/** The key is derived from the name until the user edits it. */
type Entered = { name: string; description: string; ownKey?: string; workspaceId?: string };

type Props = {
  onDone: (project: Project) => void;
  /** Called when the form becomes dirty or clean. */
  onDirty?: (dirty: boolean) => void;
};

/** Name, key and description; also the workspace if the user belongs to several. */
export function ProjectForm({ onDone, onDirty }: Props) {
  const workspaces = useQuery(workspacesQuery).data ?? [];
  const [entered, setEntered] = useState<Entered>({ name: "", description: "" });
  const { name, description, ownKey, workspaceId } = entered;
  const enter = (changes: Partial<Entered>) => {
    const next = { ...entered, ...changes };
    setEntered(next);
    onDirty?.(hasText(next));
  };
  const [off, setOff] = useState<readonly LifecycleSetting[]>([]);
  const create = useCreateProject(onDone);
  const refused = create.error instanceof ApiError ? create.error : undefined;
  const key = ownKey ?? suggestKey(name);
  const several = workspaces.length > 1;
  const workspace = workspaceId ?? workspaces[0]?.id;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const about = description.trim() === "" ? {} : { description };
    const lifecycle = Object.fromEntries(LIFECYCLE.map(({ setting }) => [setting, !off.includes(setting)]));
    const place = several ? { workspace_id: Number(workspace) } : {};
    create.mutate({ name, key, lifecycle, ...about, ...place });
  };
  const form = useFocusInvalid(create.error);
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
      <FormError>
        {create.error && !PLACED.some((field) => refused?.messageFor(field)) && messageOf(create.error)}
      </FormError>
      {several && (
        <WorkspaceField
          workspaces={workspaces}
          value={String(workspace)}
          error={refused?.messageFor("workspace_id")}
          onChange={(next) => enter({ workspaceId: next })}
        />
      )}
      <NameAndKey
        name={name}
        projectKey={key}
        errorOf={(field) => refused?.messageFor(field)}
        enter={enter}
      />
      <Field label="Description" optional error={refused?.messageFor("description")}>
        <Textarea
          value={description}
          onChange={(event) => enter({ description: event.target.value })}
          rows={3}
        />
      </Field>
      <LifecycleBoxes off={off} onChange={setOff} />
      <Button type="submit" variant="primary" busy={create.isPending} shortcut="mod+Enter">
        Create project
      </Button>
      <LeaveQuestion dirty={hasText(entered) && !create.isPending} />
    </form>
  );
}

type WorkspaceProps = {
  workspaces: readonly { id: number; name: string }[];
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
};

function WorkspaceField({ workspaces, value, error, onChange }: WorkspaceProps) {
  return (
    <Field label="Workspace" error={error}>
      <Select
        value={value}
        onChange={onChange}
        options={workspaces.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </Field>
  );
}

type NameProps = {
  name: string;
  projectKey: string;
  errorOf: (field: "name" | "key") => string | undefined;
  enter: (changes: Partial<Entered>) => void;
};

function NameAndKey({ name, projectKey, errorOf, enter }: NameProps) {
  return (
    <>
      <Field label="Name" error={errorOf("name")}>
        <Input
          value={name}
          onChange={(event) => enter({ name: event.target.value })}
          required
          maxLength={100}
          autoFocus
        />
      </Field>
      <Field
        label="Key"
        hint={`Prefix of the issue keys, such as ${projectKey || "WEB"}-12. It can’t be changed later.`}
        error={errorOf("key")}
      >
        <Input
          value={projectKey}
          onChange={(event) => enter({ ownKey: event.target.value.toUpperCase() })}
          required
          pattern="[A-Z][A-Z0-9]{1,9}"
          title="2 to 10 letters and digits, starting with a letter"
          maxLength={10}
          spellCheck={false}
        />
      </Field>
    </>
  );
}

type LifecycleProps = {
  /** The steps that are turned off. */
  off: readonly LifecycleSetting[];
  onChange: (off: readonly LifecycleSetting[]) => void;
};

function LifecycleBoxes({ off, onChange }: LifecycleProps) {
  return LIFECYCLE.map(({ setting, label }) => (
    <Checkbox
      key={setting}
      label={label}
      checked={!off.includes(setting)}
      onChange={({ target }) =>
        onChange([...off.filter((other) => other !== setting), ...(target.checked ? [] : [setting])])
      }
    />
  ));
}

const hasText = (entered: Entered) => Object.values(entered).some((value) => value !== "");

function useCreateProject(onDone: (project: Project) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewProject) => createProject(body),
    onSuccess: async (project) => {
      await client.invalidateQueries({ queryKey: ["project"] });
      onDone(project);
    },
  });
}
