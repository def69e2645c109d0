import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { api, ApiError, messageOf } from "../../api/client.ts";
import { patchEverywhere } from "../../data/patch-everywhere.ts";
import { conflicts, type Edit, joinTexts } from "./conflict.ts";

export type TextField = "title" | "description";

export type TextEdit = {
  /** Undefined while not editing. */
  edit: Edit | undefined;
  /** The text as someone else has changed it since, if that is a conflict. */
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
 * Edits a text of an issue in place. Saving reads the issue again first, so that a change by someone else is not
 * overwritten unnoticed.
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
    merge: () => edit && setEdit(joinTexts(edit, current)),
    busy: save.isPending,
    error: save.error
      ? (save.error instanceof ApiError && save.error.of(field)) || messageOf(save.error)
      : undefined,
  };
}

/** Returns the focus to the edit button when the field closes. */
export function useReturnFocus(editing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(editing);
  useEffect(() => {
    if (was.current && !editing && document.activeElement === document.body) button.current?.focus();
    was.current = editing;
  }, [editing]);
  return button;
}
