import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { SavedView } from "../../shared/saved-views.ts";
import { useDeleteView, useMoveView, useRenameView, useSaveView } from "../data/projects/change-views.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { viewsQuery } from "../data/projects/saved-views.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { toast } from "../kit/notices/toast.ts";
import { Sortable } from "../lists/sortable.tsx";
import { ViewIcon } from "./view-icon.tsx";

const viewId = (view: SavedView) => String(view.id);
const viewName = (view: SavedView) => view.name;

/** Reorders, renames, shares and removes favorites and saved views. */
export function ViewsDialog({ onClose }: { onClose: () => void }) {
  const project = useCurrentProject();
  const [renaming, setRenaming] = useState<{ view: SavedView; sharedWith: number | null }>();
  if (renaming) return <RenameDialog {...renaming} onClose={() => setRenaming(undefined)} />;
  const rename = (view: SavedView, sharedWith: number | null) => setRenaming({ view, sharedWith });
  return (
    <Dialog
      open
      title="Favorites and views"
      description="Drag an entry, or use its menu, to change the order in the sidebar."
      onClose={onClose}
    >
      <div className="flex flex-col gap-6">
        <Views title="Only for you" sharedWith={null} mayChange onRename={rename} />
        {project && (
          <Views
            title={`Shared with ${project.name}`}
            sharedWith={project}
            mayChange={can(project, "project:update")}
            onRename={rename}
          />
        )}
      </div>
    </Dialog>
  );
}

type ViewsProps = {
  title: string;
  sharedWith: Project | null;
  mayChange: boolean;
  onRename: (view: SavedView, sharedWith: number | null) => void;
};

function Views({ title, sharedWith, mayChange, onRename }: ViewsProps) {
  const projectId = sharedWith?.id ?? null;
  const projects = useProjects();
  const { data: views = [] } = useQuery(viewsQuery(projectId));
  const move = useMoveView(projectId);
  const remove = useDeleteView(projectId);
  const share = useSaveView((view) => toast({ title: `“${view.name}” is shared`, tone: "success" }));
  const onMove = (id: string, index: number) => {
    const view = views.find((one) => viewId(one) === id);
    const before = views.filter((one) => one !== view)[index];
    if (view) move.mutate({ view, index, before });
  };
  const mayShare = (view: SavedView) => {
    const project = projects.find(({ id }) => id === view.project_id);
    return sharedWith === null && isOfList(view) && project !== undefined && can(project, "project:update");
  };
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      {views.length === 0 ? (
        <p className="text-text-2">
          {sharedWith === null
            ? "Save a view of a list, or star an issue or epic."
            : "Save a view of a list of this project and share it."}
        </p>
      ) : (
        <Sortable
          label={title}
          items={views}
          itemId={viewId}
          itemLabel={viewName}
          disabled={!mayChange}
          onMove={onMove}
          menu={(view) => [
            isOfList(view) && {
              label: "Rename",
              takesFocus: true,
              onSelect: () => onRename(view, projectId),
            },
            mayShare(view) && {
              label: "Share with the project",
              onSelect: () =>
                share.mutate({
                  body: { page: view.page, name: view.name, search: view.search },
                  sharedWith: view.project_id,
                }),
            },
            { label: "Remove", danger: true, onSelect: () => remove.mutate(view) },
            "separator",
          ]}
        >
          {(view) => <ViewLabel view={view} />}
        </Sortable>
      )}
    </section>
  );
}

/** Others are the star of an issue or epic. */
const isOfList = ({ page }: SavedView) => page !== "issue" && page !== "epic";

function ViewLabel({ view }: { view: SavedView }) {
  const projects = useProjects();
  return (
    <>
      <ViewIcon page={view.page} />
      <span dir="auto" className="min-w-0 flex-1 truncate" title={view.name}>
        {view.name}
      </span>
      <span className="text-text-3 shrink-0 text-sm">
        {view.issue_key ?? projects.find(({ id }) => id === view.project_id)?.key}
      </span>
    </>
  );
}

type RenameProps = { view: SavedView; sharedWith: number | null; onClose: () => void };

function RenameDialog({ view, sharedWith, onClose }: RenameProps) {
  const [name, setName] = useState(view.name);
  const rename = useRenameView(sharedWith, onClose);
  return (
    <FormDialog
      title="Rename view"
      submit="Rename"
      size="sm"
      busy={rename.isPending}
      error={rename.error}
      fields={["name"]}
      onSubmit={() => rename.mutate({ id: view.id, name })}
      onClose={onClose}
    >
      <Field label="Name" required error={errorOf(rename.error, "name")}>
        <Input
          value={name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
