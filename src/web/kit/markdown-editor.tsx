import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Avatar, type Pictured } from "./avatar.tsx";
import { roomLeft } from "./code-points.ts";
import { cx } from "./cx.ts";
import { flipIntoView } from "./flip-into-view.ts";
import { CONTROL, useFieldControl } from "./field.tsx";
import { nameOfPerson } from "./initials.ts";
import { announce } from "./live-region.ts";
import { Markdown } from "./markdown.tsx";
import { completeMention, mentionAt, peopleMatching } from "./mentions.ts";
import { tabClass } from "./tab-label.tsx";

export type Mentionable = Pictured & { id: number; username: string };

type Props = {
  value: string;
  onChange: (value: string) => void;
  /** Needed when there is no `Field` around it. */
  label?: string;
  /** People who can be mentioned. */
  people?: readonly Mentionable[];
  /** The maximum number of code points. */
  max?: number;
  placeholder?: string;
  rows?: number;
  disabled?: boolean;
  /** Called on ⌘↵ or Ctrl+↵. */
  onSubmit?: () => void;
  /** Called with pasted or dropped files. */
  onFiles?: (files: File[]) => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** A Markdown editor with preview, @mentions, and files by paste and drop. */
export function MarkdownEditor(props: Props) {
  const { value, people = NOBODY, max } = props;
  const [isPreview, setPreview] = useState(false);
  const left = max === undefined ? null : roomLeft(value, max);
  return (
    <div className="min-w-0">
      <div role="group" aria-label="Editor" className="mb-2 flex gap-1 border-b border-line">
        <ModeButton label="Write" pressed={!isPreview} onPress={() => setPreview(false)} />
        <ModeButton label="Preview" pressed={isPreview} onPress={() => setPreview(true)} />
      </div>
      {isPreview ? (
        <div className="min-h-22 rounded-md border border-line px-3 py-2">
          {value.trim() === "" ? (
            <p className="text-text-3">Nothing to preview.</p>
          ) : (
            <Markdown text={value} mentions={people.map(({ username }) => username)} />
          )}
        </div>
      ) : (
        <Writing {...props} people={people} />
      )}
      {left !== null && (
        <p role="status" className={cx("mt-1 text-sm", left < 0 ? "text-danger" : "text-text-3")}>
          {left < 0 ? `${-left} characters too many` : `${left} characters left`}
        </p>
      )}
    </div>
  );
}

function ModeButton({ label, pressed, onPress }: { label: string; pressed: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      className={cx(tabClass(pressed), "-mb-px")}
      onClick={onPress}
    >
      {label}
    </button>
  );
}

function Writing({
  value,
  onChange,
  label,
  people,
  placeholder,
  rows = 4,
  disabled = false,
  onSubmit,
  onFiles,
  ref,
}: Props & { people: readonly Mentionable[] }) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const [mention, setMention] = useState<{ start: number; query: string } | null>(null);
  const [chosen, setChosen] = useState(0);
  const [over, setOver] = useState(false);
  const field = useFieldControl();
  const found = mention === null ? [] : peopleMatching(people, mention.query);
  const open = found.length > 0;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (list.current) flipIntoView(list.current);
  });

  const look = (element: HTMLTextAreaElement) => {
    const next =
      element.selectionStart === element.selectionEnd
        ? mentionAt(element.value, element.selectionStart)
        : null;
    setMention(next);
    if (next?.query !== mention?.query) setChosen(0);
    if (next !== null && mention === null)
      announce("Type to find someone to mention. Use the arrow keys to choose and Enter to insert.");
  };
  const insert = (person: Mentionable | undefined) => {
    const element = area.current;
    if (element === null || mention === null || person === undefined) return;
    const next = completeMention(value, mention.start, element.selectionStart, person.username);
    // Render before the next key press, so that it is inserted after the name.
    flushSync(() => {
      onChange(next.text);
      setMention(null);
    });
    element.focus();
    element.setSelectionRange(next.caret, next.caret);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      onSubmit?.();
      return;
    }
    if (!open) return;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % found.length);
    else if (event.key === "ArrowUp") setChosen((chosen + found.length - 1) % found.length);
    else if (event.key === "Enter" || event.key === "Tab") insert(found[chosen]);
    else if (event.key === "Escape") setMention(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const take = (event: ClipboardEvent | DragEvent, files: FileList) => {
    setOver(false);
    if (onFiles === undefined || files.length === 0) return;
    event.preventDefault();
    onFiles([...files]);
  };

  return (
    <div className="relative">
      <textarea
        dir="auto"
        {...field}
        ref={(element) => {
          area.current = element;
          if (typeof ref === "function") ref(element);
          else if (ref) ref.current = element;
        }}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={open ? `${id}-people` : undefined}
        aria-activedescendant={open ? `${id}-${chosen}` : undefined}
        value={value}
        rows={rows}
        disabled={disabled}
        placeholder={placeholder}
        className={cx(
          CONTROL,
          "block field-sizing-content max-h-[60dvh] min-h-22 py-1.5 text-read",
          over && "border-accent bg-accent-tint",
        )}
        onChange={(event) => {
          onChange(event.target.value);
          look(event.target);
        }}
        onSelect={(event) => look(event.currentTarget)}
        onBlur={() => setMention(null)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData.files)}
        onDrop={(event) => take(event, event.dataTransfer.files)}
        onDragOver={(event) => {
          if (onFiles === undefined || !event.dataTransfer.types.includes("Files")) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
      />
      {open && (
        <div
          ref={list}
          id={`${id}-people`}
          role="listbox"
          aria-label="People"
          className="absolute top-full start-0 z-50 my-1 w-72 max-w-full overflow-y-auto rounded-md data-above:top-auto data-above:bottom-full bg-surface py-1 shadow-float forced-colors:border"
        >
          {found.map((person, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are the text field's
            <div
              key={person.id}
              id={`${id}-${index}`}
              ref={index === chosen ? scrollIntoView : null}
              role="option"
              aria-selected={index === chosen}
              className={cx(
                "mx-1 flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2",
                index === chosen && "bg-hover",
              )}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => insert(person)}
            >
              <Avatar person={person} size={20} />
              <span dir="auto" className="truncate">
                {nameOfPerson(person)}
              </span>
              <span className="truncate text-sm text-text-3">@{person.username}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: "nearest" });

const NOBODY: readonly Mentionable[] = [];
