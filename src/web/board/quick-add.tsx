import { Plus } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError, messageOf } from "../api/client.ts";
import { type NewIssue, useCreateIssue } from "../issues/queries.ts";
import { announce } from "../ui/live-region.tsx";

type Props = {
  projectId: number;
  /** "To do", or "To do, Ada Moss". */
  name: string;
  /** What a card that is added here has: its lane, and what the swim lane and the filters say. */
  fields: Partial<NewIssue>;
};

/** A title and Enter: a card at the end of its lane. Stays open for the next one; Esc closes. */
export function QuickAdd({ projectId, name, fields }: Props) {
  const [open, setOpen] = useState(false);
  const [title, setTitle] = useState("");
  const [error, setError] = useState<string>();
  const create = useCreateIssue(projectId);
  const button = useRef<HTMLButtonElement>(null);

  const close = () => {
    flushSync(() => {
      setOpen(false);
      setTitle("");
      setError(undefined);
    });
    button.current?.focus();
  };
  const add = () => {
    if (title.trim() === "" || create.isPending) return;
    create.mutate(
      { ...fields, title: title.trim() },
      {
        onSuccess: (issue) => {
          setTitle("");
          setError(undefined);
          announce(`${issue.key} added to ${name}.`);
        },
        onError: (thrown) =>
          setError((thrown instanceof ApiError ? thrown.of("title") : undefined) ?? messageOf(thrown)),
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      add();
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };
  if (!open)
    return (
      <button
        ref={button}
        type="button"
        aria-label={`Add issue to ${name}`}
        className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-text-3 hover:bg-hover hover:text-text"
        onClick={() => setOpen(true)}
      >
        <Plus aria-hidden size={14} />
        Add issue
      </button>
    );
  return (
    <div className="pb-2">
      <textarea
        ref={focus}
        aria-label={`Title of the new issue in ${name}`}
        aria-invalid={error !== undefined}
        rows={2}
        value={title}
        maxLength={255}
        placeholder="Title. Enter adds it, Esc closes."
        aria-busy={create.isPending}
        className="block w-full resize-none rounded-md border border-line-strong bg-surface p-2 field-sizing-content"
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => title.trim() === "" && setOpen(false)}
      />
      {error !== undefined && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

function focus(element: HTMLTextAreaElement | null) {
  element?.focus();
}
