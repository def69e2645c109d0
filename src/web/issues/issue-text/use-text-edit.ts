import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { kindOf, readTexts, saveTexts, type Texts } from "../../data/save-text.ts";
import { useProfile } from "../../data/account/session.ts";
import { undoOf } from "../../data/issues/undo-issues.ts";
import { reasonOf } from "../../forms/reason.ts";
import { announce } from "../../kit/notices/live-region.ts";
import { beginChange, toast } from "../../kit/notices/toast.ts";
import { draftOf } from "../../state/drafts.ts";
import { patchEverywhere } from "../../data/cache/patch-everywhere.ts";
import { conflicts, type Edit, joinTexts } from "./conflict.ts";

export type TextField = "title" | "description";

export type TextEdit = {
  /** Undefined while not editing. */
  edit: Edit | undefined;
  /** Whether the text comes from a draft: the editor was open when the page was left. */
  restored: boolean;
  /** The text as someone else has changed it since, if that is a conflict. */
  theirs: string | undefined;
  /** `at` is where the caret goes; the end by default. */
  begin: (at?: number) => void;
  caret: number | undefined;
  field: RefObject<HTMLTextAreaElement | null>;
  setText: (text: string) => void;
  /** Closes the editor. Changes are discarded, which can be undone. */
  cancel: (byKey: boolean) => void;
  /** Saves and closes the editor, which stays open if saving fails. An empty title is not saved. */
  save: (byKey: boolean) => void;
  /** Whether a key ended the edit, so that the focus has to go somewhere. */
  byKey: RefObject<boolean>;
  keepMine: () => void;
  merge: () => void;
  busy: boolean;
  error: string | undefined;
};

/**
 * Edits a text of an issue or epic in place. The text is a draft until it is saved or discarded. Saving reads the issue again
 * first, so that a change by someone else is not overwritten unnoticed.
 */
export function useTextEdit(of: Texts, field: TextField): TextEdit {
  const kind = kindOf(of);
  const client = useQueryClient();
  const me = useProfile().id;
  const [draft] = useState(() => draftOf<Edit | null>(me, `${kind}s:${of.id}:${field}`, parseEdit, null));
  const [edit, setShown] = useState(draft.read);
  const [restored, setRestored] = useState(edit !== null);
  const [caret, setCaret] = useState<number>();
  const place = useRef<HTMLTextAreaElement>(null);
  const byKey = useRef(false);
  const setEdit = (next: Edit | null) => {
    setShown(next);
    draft.write(next && next.text === next.base ? null : next);
  };
  const current = of[field] ?? "";

  const save = useMutation({
    mutationFn: async ({ base, text }: Edit): Promise<{ answer: Texts; saved: boolean }> => {
      const fresh = await readTexts(of);
      if (conflicts({ base, text }, fresh[field] ?? "")) return { answer: fresh, saved: false };
      const value = text.trim() === "" && field === "description" ? null : text;
      return { answer: await saveTexts(of, { [field]: value }), saved: true };
    },
    onMutate: () => beginChange(),
    onError: (_error, _edit, change) => change?.failed(),
    onSuccess: ({ answer, saved }, sent, change) => {
      patchEverywhere(client, kind, answer.id, answer);
      if (!saved) return change.failed();
      const undo = isIssue(answer)
        ? undoOf(client, [{ before: { ...answer, [field]: sent.base }, after: answer, fields: [field] }])
        : undefined;
      change.done(undo);
      // Keep what was typed while the request was in flight.
      const now = draft.read();
      const rest = now && now.text !== sent.text ? { base: answer[field] ?? "", text: now.text } : null;
      setEdit(rest);
      announce(field === "title" ? "Title saved" : "Description saved");
      // The field was left again in the meantime.
      if (rest !== null && place.current !== null && document.activeElement !== place.current)
        save.mutate(rest);
      void client.invalidateQueries({ queryKey: [kind, of.project_id, "activity", of.id] });
    },
  });

  // A draft may be of a text that was saved when the page was left.
  const isOpen = edit !== null && !(restored && edit.text === current);
  const isChanged = edit !== null && edit.text !== edit.base;
  return {
    edit: isOpen ? edit : undefined,
    restored,
    theirs: isChanged && conflicts(edit, current) ? current : undefined,
    caret,
    field: place,
    byKey,
    begin: (at) => {
      save.reset();
      setRestored(false);
      setCaret(at);
      setEdit({ base: current, text: current });
    },
    setText: (text) => edit && setEdit({ ...edit, text }),
    cancel: (withKey) => {
      byKey.current = withKey;
      setEdit(null);
      if (!edit || edit.text === edit.base) return;
      toast({
        title: `Your changes to the ${field} were discarded`,
        subjects: [`${kind}:${of.id}:${field}`],
        undo: () => draft.read() ?? setEdit(edit),
      });
    },
    save: (withKey) => {
      if (!edit || save.isPending) return;
      byKey.current = withKey;
      if (edit.text === current || !isChanged) setEdit(null);
      else if (field === "title" && edit.text.trim() === "") {
        setEdit(null);
        toast({ title: "A title is required. The previous one was kept.", tone: "danger" });
      } else save.mutate(edit);
    },
    keepMine: () => edit && setEdit({ ...edit, base: current }),
    merge: () => edit && setEdit(joinTexts(edit, current)),
    busy: save.isPending,
    error: save.error ? reasonOf(save.error) : undefined,
  };
}

const isIssue = (of: Texts): of is Issue => kindOf(of) === "issue";

function parseEdit(value: unknown): Edit | undefined {
  const { base, text } = (value ?? {}) as Partial<Edit>;
  return typeof base === "string" && typeof text === "string" ? { base, text } : undefined;
}

/** Returns the focus to the edit button when a key closed the field. */
export function useReturnFocus({ edit, byKey }: TextEdit): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const editing = edit !== undefined;
  const was = useRef(editing);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (was.current && !editing && byKey.current && isLost) button.current?.focus({ preventScroll: true });
    was.current = editing;
  }, [editing, byKey]);
  return button;
}

/** Focuses the field when it opens, unless it opens with the page. */
export function useFocusOnOpen({ field, caret, restored }: TextEdit): void {
  const wasOpened = useRef(false);
  useLayoutEffect(() => {
    if (wasOpened.current || restored || field.current === null) return;
    wasOpened.current = true;
    const at = caret ?? field.current.value.length;
    // First the caret, so that the focus scrolls to it.
    field.current.setSelectionRange(at, at);
    field.current.focus();
  });
}
