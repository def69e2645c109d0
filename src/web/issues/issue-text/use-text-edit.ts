import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { api, ApiError, messageOf } from "../../api/client.ts";
import { patchEverywhere } from "../../data/patch-everywhere.ts";
import { conflicts, joined, type Edit } from "./conflict.ts";

export type TextField = "title" | "description";

export type TextEdit = {
  /** Undefined while nobody edits. */
  edit: Edit | undefined;
  /** What somebody else made of it meanwhile. */
  theirs: string | undefined;
  begin: () => void;
  setText: (text: string) => void;
  cancel: () => void;
  save: () => void;
  keepMine: () => void;
  merge: () => void;
  busy: boolean;
  error: string | undefined;
};

/**
 * Editing a text of the issue in place. Before it is saved the issue is read once more: a text that somebody else has
 * changed is not overwritten without a choice.
 */
export function useTextEdit(issue: Issue, field: TextField): TextEdit {
  const client = useQueryClient();
  const [edit, setEdit] = useState<Edit>();
  const path = `/api/projects/${issue.project_id}/issues/${issue.id}`;
  const current = issue[field] ?? "";

  const save = useMutation({
    mutationFn: async ({ base, text }: Edit): Promise<{ issue: Issue; saved: boolean }> => {
      const fresh = await api.get<Issue>(path);
      if (conflicts({ base, text }, fresh[field] ?? "")) return { issue: fresh, saved: false };
      const value = text.trim() === "" && field === "description" ? null : text;
      return { issue: await api.patch<Issue>(path, { [field]: value }), saved: true };
    },
    onSuccess: ({ issue: answer, saved }) => {
      patchEverywhere(client, "issue", answer.id, answer);
      if (!saved) return;
      setEdit(undefined);
      void client.invalidateQueries({ queryKey: ["issue", issue.project_id, "activity", issue.id] });
    },
  });

  return {
    edit,
    theirs: edit && conflicts(edit, current) ? current : undefined,
    begin: () => {
      save.reset();
      setEdit({ base: current, text: current });
    },
    setText: (text) => setEdit((before) => before && { ...before, text }),
    cancel: () => setEdit(undefined),
    save: () => {
      if (!edit || save.isPending) return;
      if (edit.text === current) setEdit(undefined);
      else save.mutate(edit);
    },
    keepMine: () => edit && setEdit({ ...edit, base: current }),
    merge: () => edit && setEdit(joined(edit, current)),
    busy: save.isPending,
    error: save.error
      ? (save.error instanceof ApiError && save.error.of(field)) || messageOf(save.error)
      : undefined,
  };
}

/** For the button that begins the editing: it has the focus again once the field is gone. */
export function useFocusBack(editing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(editing);
  useEffect(() => {
    if (was.current && !editing && document.activeElement === document.body) button.current?.focus();
    was.current = editing;
  }, [editing]);
  return button;
}
