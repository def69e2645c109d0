import { Plus } from "lucide-react";
import { type KeyboardEvent, type RefObject, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type NewIssue, useCreateIssue } from "../data/issues/create-issue.ts";
import { reasonOf } from "../forms/reason.ts";
import { showFailure } from "../forms/show-failure.ts";
import { IconSlot } from "../kit/icon.tsx";
import { keepInView } from "../kit/keep-in-view.ts";
import { announce } from "../kit/notices/live-region.ts";
import { useOpen } from "../kit/use-open.ts";
import { whenLeft } from "../kit/when-left.ts";

type Props = {
  projectId: number;
  /** "To do", or "To do, Ada Moss". */
  name: string;
  /** Fields of an issue added here: its lane, and the values of the swim lane and the filters; or its parent. */
  fields: Partial<NewIssue>;
  /** The noun for what is added: "sub-issue". */
  thing?: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Opens the field in place of the button here, and gets the focus back. */
  opener?: HTMLElement | null;
};

/** Adds an issue at the end of a list: title and Enter. Stays open for the next one; Esc closes it. */
export function QuickAdd({ projectId, name, fields, thing = "issue", opener, ...controlled }: Props) {
  const [open, setOpen] = useOpen(controlled.open, controlled.onOpenChange);
  const button = useRef<HTMLButtonElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const { title, setTitle, error, add, clear, isPending } = useTitle({ projectId, name, fields }, area);

  const begin = useCallback((element: HTMLTextAreaElement | null) => beginIn(element, area), []);
  const close = () => {
    flushSync(() => {
      setOpen(false);
      clear();
    });
    (opener ?? button.current)?.focus();
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
    return opener ? null : <AddButton ref={button} name={name} thing={thing} onClick={() => setOpen(true)} />;
  return (
    <div className="pb-2">
      <textarea
        dir="auto"
        ref={begin}
        aria-label={`Title of the new ${thing} in ${name}`}
        aria-invalid={error !== undefined}
        rows={2}
        value={title}
        maxLength={255}
        placeholder="Type a title and press Enter"
        enterKeyHint="done"
        aria-busy={isPending}
        className="block w-full resize-none rounded-md border border-line-strong bg-surface p-2 field-sizing-content scroll-mb-4"
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={(event) => title.trim() === "" && whenLeft(event, () => setOpen(false))}
      />
      {error !== undefined && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** The title of the next issue, and adding it. */
function useTitle(
  { projectId, name, fields }: Pick<Props, "projectId" | "name" | "fields">,
  area: RefObject<HTMLTextAreaElement | null>,
) {
  const [title, setTitle] = useState("");
  const [error, setError] = useState<string>();
  const create = useCreateIssue(projectId);
  const clear = () => {
    setTitle("");
    setError(undefined);
  };
  const add = () => {
    const text = title.trim();
    if (text === "") return;
    // mutateAsync, because the callbacks of mutate run only for the latest call, and not after the field was closed.
    create.mutateAsync({ ...fields, title: text }).then(
      (issue) => announce(`${issue.key} added to ${name}.`),
      (thrown: unknown) => restore(text, thrown),
    );
    clear();
  };
  /** Restores a rejected title before what was typed since. */
  const restore = (text: string, thrown: unknown) => {
    if (area.current === null) showFailure(`“${text}” could not be added to ${name}`, thrown);
    else setError(reasonOf(thrown));
    setTitle((since) => (since === "" ? text : `${text} ${since}`));
  };
  return { title, setTitle, error, add, clear, isPending: create.isPending };
}

type ButtonProps = {
  ref: RefObject<HTMLButtonElement | null>;
  name: string;
  thing: string;
  onClick: () => void;
};

function AddButton({ ref, name, thing, onClick }: ButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      data-no-print
      aria-label={`Add ${thing} to ${name}`}
      className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-text-3 hover:bg-hover hover:text-text"
      onClick={onClick}
    >
      <IconSlot icon={Plus} size={14} />
      {`Add ${thing}`}
    </button>
  );
}

/** Focuses the text field when it appears, and keeps it in view. */
function beginIn(element: HTMLTextAreaElement | null, area: RefObject<HTMLTextAreaElement | null>) {
  area.current = element;
  if (element === null) return undefined;
  element.focus();
  const stop = keepInView(element);
  return () => {
    stop();
    area.current = null;
  };
}
