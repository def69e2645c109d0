import { useState } from "react";
import type { SavedView } from "../../shared/saved-views.ts";
import { useSaveView } from "../data/projects/change-views.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { toast } from "../kit/notices/toast.ts";
import { parseSearch } from "../page/search-params.ts";

const MAX_NAME = 60;

const WHAT = {
  list: "Saves the filters, grouping and order. The view appears in the sidebar.",
  search: "Saves the text and the filters. The search appears in the sidebar.",
};

type Props = {
  view: { page: SavedView["page"]; projectId: number | null; search: string };
  onClose: () => void;
};

/** Names a view. Those who manage the project can share it. */
export function SaveViewDialog({ view: { page, projectId, search }, onClose }: Props) {
  const project = useProjects().find(({ id }) => id === projectId);
  const [name, setName] = useState(() =>
    page === "search"
      ? Array.from(parseSearch(search)["query"] ?? "")
          .slice(0, MAX_NAME)
          .join("")
      : "",
  );
  const [isShared, setShared] = useState(false);
  const save = useSaveView((view) => {
    onClose();
    toast({ title: `View “${view.name}” saved`, tone: "success" });
  });
  const submit = () =>
    save.mutate({
      body: { page, search, name, ...(projectId !== null && { project_id: projectId }) },
      sharedWith: isShared ? projectId : null,
    });
  return (
    <FormDialog
      title="Save view"
      description={page === "search" ? WHAT.search : WHAT.list}
      submit="Save view"
      size="sm"
      busy={save.isPending}
      error={save.error}
      fields={["name"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" required error={errorOf(save.error, "name")}>
        <Input
          value={name}
          maxLength={MAX_NAME}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {project !== undefined && can(project, "project:update") && (
        <Checkbox
          label={`Share with everyone in ${project.name}`}
          checked={isShared}
          onChange={(event) => setShared(event.target.checked)}
        />
      )}
    </FormDialog>
  );
}
