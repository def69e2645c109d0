import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
  Suspense,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useState,
} from "react";
import { useQuery } from "@tanstack/react-query";
import { peopleQuery } from "../data/projects/people.ts";
import { useProjects } from "../data/projects/projects.ts";
import { roomLeft } from "../kit/code-points.ts";
import type { TakeFiles } from "./insert-text.ts";
import { moveByArrows } from "./move-by-arrows.ts";
import { cx } from "../kit/cx.ts";
import { CONTROL, growToFit, useFieldControl } from "../kit/field.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { tabClass } from "../kit/tab-label.tsx";

type Props = {
  value: string;
  onChange: (value: string) => void;
  /** Whose people, reports and issues are suggested. */
  projectId?: number;
  /** Needed when there is no `Field` around it. */
  label?: string;
  /** The maximum number of code points. */
  max?: number;
  placeholder?: string;
  rows?: number;
  disabled?: boolean;
  /** Called on ⌘↵ or Ctrl+↵. */
  onSubmit?: () => void;
  /** The address of the attachments that pasted, dropped and chosen files are added to. */
  attachPath?: string | undefined;
  /** Called with pasted or dropped files, instead of uploading them. */
  onFiles?: (files: File[]) => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** A later part, so that the first screen of a page stays small. */
const EditorTools = deferredPart(async () => (await import("./editor-tools.tsx")).EditorTools);

/** A Markdown editor with preview, a toolbar, suggestions, and files by paste and drop. */
export function MarkdownEditor({ value, onChange, projectId, label, max, ref, ...props }: Props) {
  const { placeholder, rows = 4, disabled = false, onSubmit, onFiles, attachPath } = props;
  const [isPreview, setPreview] = useState(false);
  const [field, setField] = useState<HTMLTextAreaElement | null>(null);
  // The toolbar has more parts than all the rest of a dialog, which is shown first.
  const fieldOfTools = useDeferredValue(field);
  const [over, setOver] = useState(false);
  const [tray, setTray] = useState<HTMLDivElement | null>(null);
  const [addFiles, setAddFiles] = useState<TakeFiles>();
  const onReady = useCallback((add: TakeFiles) => setAddFiles(() => add), []);
  const takesFiles = onFiles !== undefined || attachPath !== undefined;
  const control = useFieldControl();
  const setRefs = useCallback(
    (element: HTMLTextAreaElement | null) => {
      setField(element);
      if (typeof ref === "function") ref(element);
      else if (ref) ref.current = element;
    },
    [ref],
  );
  useLayoutEffect(() => growToFit(field));

  const take = (event: ClipboardEvent | DragEvent, files: FileList) => {
    setOver(false);
    if (!takesFiles || files.length === 0) return;
    event.preventDefault();
    (onFiles ?? addFiles)?.([...files]);
  };

  // As wide as the toolbar, so that it wraps in the same way.
  const toolsPlace = <div className={attachPath === undefined ? "h-7 w-63" : "h-7 w-70"} />;
  return (
    <div className="min-w-0">
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-2 border-b border-line">
        <Modes isPreview={isPreview} onChange={setPreview} />
        {!disabled && (
          <Suspense fallback={toolsPlace}>
            {fieldOfTools === null ? (
              toolsPlace
            ) : (
              <EditorTools
                key={attachPath}
                field={fieldOfTools}
                projectId={projectId}
                hidden={isPreview}
                attach={attachPath !== undefined && tray ? { path: attachPath, tray, onReady } : undefined}
              />
            )}
          </Suspense>
        )}
      </div>
      {isPreview && <Preview text={value} projectId={projectId} />}
      {/* The field stays during the preview, and with it the selection and what can be undone. */}
      <div className="relative" hidden={isPreview}>
        <textarea
          dir="auto"
          {...control}
          ref={setRefs}
          aria-label={label}
          aria-autocomplete="list"
          value={value}
          rows={rows}
          disabled={disabled}
          placeholder={placeholder}
          className={cx(
            CONTROL,
            "block field-sizing-content max-h-[60dvh] min-h-22 py-1.5 text-read",
            over && "border-accent bg-accent-tint",
          )}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => isSubmit(event) && onSubmit?.()}
          onPaste={(event) => take(event, event.clipboardData.files)}
          onDrop={(event) => take(event, event.dataTransfer.files)}
          onDragOver={(event) => {
            if (!takesFiles || !event.dataTransfer.types.includes("Files")) return;
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
        />
      </div>
      {attachPath !== undefined && <div ref={setTray} className="mt-2 empty:hidden" />}
      {max !== undefined && <RoomLeft text={value} max={max} />}
    </div>
  );
}

/** Whether the key is ⌘↵ or Ctrl+↵, which then inserts no line. */
function isSubmit(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing)
    return false;
  event.preventDefault();
  return true;
}

function Modes({ isPreview, onChange }: { isPreview: boolean; onChange: (isPreview: boolean) => void }) {
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus
    <div role="toolbar" aria-label="Editor" className="flex gap-1" onKeyDown={moveByArrows}>
      <ModeButton label="Write" pressed={!isPreview} onPress={() => onChange(false)} />
      <ModeButton label="Preview" pressed={isPreview} onPress={() => onChange(true)} />
    </div>
  );
}

/** How many characters are left, once there are few. */
function RoomLeft({ text, max }: { text: string; max: number }) {
  const left = roomLeft(text, max);
  if (left === null) return null;
  return (
    <p role="status" className={cx("mt-1 text-sm", left < 0 ? "text-danger" : "text-text-3")}>
      {left < 0 ? `${-left} characters too many` : `${left} characters left`}
    </p>
  );
}

function ModeButton({ label, pressed, onPress }: { label: string; pressed: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      tabIndex={pressed ? 0 : -1}
      className={cx(tabClass(pressed), "-mb-px")}
      onClick={(event) => {
        // Safari does not focus a button that is clicked, and the hidden field loses the focus.
        event.currentTarget.focus();
        onPress();
      }}
    >
      {label}
    </button>
  );
}

function Preview({ text, projectId }: { text: string; projectId: number | undefined }) {
  const people = useQuery({ ...peopleQuery(projectId ?? 0), enabled: projectId !== undefined });
  const project = useProjects().find(({ id }) => id === projectId);
  return (
    <div className="min-h-22 rounded-md border border-line px-3 py-2">
      {text.trim() === "" ? (
        <p className="text-text-3">Nothing to preview.</p>
      ) : (
        <Markdown
          text={text}
          projectKey={project?.key}
          mentions={people.data?.map(({ username }) => username) ?? []}
        />
      )}
    </div>
  );
}
