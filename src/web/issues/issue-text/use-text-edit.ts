import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { api, ApiError, messageOf } from "../../api/client.ts";
import { useProfile } from "../../data/session.ts";
import { undoOf } from "../../data/undo-issues.ts";
import { rememberUndo, toast } from "../../kit/toast.ts";
import { draftOf } from "../../state/drafts.ts";
import { patchEverywhere } from "../../data/patch-everywhere.ts";
import { conflicts, type Edit, joinTexts } from "./conflict.ts";

export type TextField = "title" | "description";

export type TextEdit = {
  /** Undefined while not editing. */
  edit: Edit | undefined;
  /** Whether the text comes from a draft: the editor was open when the page was left. */
  restored: boolean;
  /** The text as someone else has changed it since, if that is a conflict. */
  theirs: string | undefined;
  begin: () => void;
  setText: (text: string) => void;
  /** Closes the editor. Changes are discarded, which can be undone. */
  cancel: () => void;
  save: () => void;
  keepMine: () => void;
  merge: () => void;
  busy: boolean;
  error: string | undefined;
};

/**
 * Edits a text of an issue in place. The text is a draft until it is saved or discarded. Saving reads the issue again first, so that a change by someone else is not
 * overwritten unnoticed.
 */
export function useTextEdit(issue: Issue, field: TextField): TextEdit {
  const client = useQueryClient();
  const me = useProfile().id;
  const [draft] = useState(() => draftOf<Edit | null>(me, `issues:${issue.id}:${field}`, parseEdit, null));
  const [edit, setShown] = useState(draft.read);
  const [restored, setRestored] = useState(edit !== null);
  const setEdit = (next: Edit | null) => {
    setShown(next);
    draft.write(next && next.text === next.base ? null : next);
  };
  const path = `/api/projects/${issue.project_id}/issues/${issue.id}`;
  const current = issue[field] ?? "";

  const save = useMutation({
    mutationFn: async ({ base, text }: Edit): Promise<{ issue: Issue; saved: boolean }> => {
      const fresh = await api.get<Issue>(path);
      if (conflicts({ base, text }, fresh[field] ?? "")) return { issue: fresh, saved: false };
      const value = text.trim() === "" && field === "description" ? null : text;
      return { issue: await api.patch<Issue>(path, { [field]: value }), saved: true };
    },
    onSuccess: ({ issue: answer, saved }, sent) => {
      patchEverywhere(client, "issue", answer.id, answer);
      if (!saved) return;
      const before = { ...answer, [field]: sent.base };
      rememberUndo(undoOf(client, [{ before, after: answer, fields: [field] }]));
      // Keep what was typed while the request was in flight.
      const now = draft.read();
      setEdit(now && now.text !== sent.text ? { base: answer[field] ?? "", text: now.text } : null);
      void client.invalidateQueries({ queryKey: ["issue", issue.project_id, "activity", issue.id] });
    },
  });

  return {
    edit: edit ?? undefined,
    restored,
    theirs: edit && conflicts(edit, current) ? current : undefined,
    begin: () => {
      save.reset();
      setRestored(false);
      setEdit({ base: current, text: current });
    },
    setText: (text) => edit && setEdit({ ...edit, text }),
    cancel: () => {
      setEdit(null);
      if (!edit || edit.text === edit.base) return;
      toast({
        title: `Your changes to the ${field} were discarded`,
        subjects: [`issue:${issue.id}:${field}`],
        undo: () => draft.read() ?? setEdit(edit),
      });
    },
    save: () => {
      if (!edit || save.isPending) return;
      if (edit.text === current) setEdit(null);
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

function parseEdit(value: unknown): Edit | undefined {
  const { base, text } = (value ?? {}) as Partial<Edit>;
  return typeof base === "string" && typeof text === "string" ? { base, text } : undefined;
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
