import { WifiOff } from "lucide-react";
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { connectionLost } from "../api/connection-lost.ts";
import { useProfile } from "../data/account/session.ts";
import { reasonOf } from "../forms/reason.ts";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { countCodePoints } from "../kit/code-points.ts";
import { FormError } from "../kit/form-error.tsx";
import { filesIn, forgetFiles } from "../editor/attached-files.ts";
import { isUploading } from "../editor/upload-text.ts";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { toast } from "../kit/notices/toast.ts";
import { useKeptPlace } from "../kit/use-kept-place.ts";
import { useStore } from "../state/store.ts";
import { returnedTexts, textDraft } from "../state/drafts.ts";
import { useDraft } from "../state/use-draft.ts";

/** The server accepts comments of up to this many code points. */
const MAX_LENGTH = 10_000;

type Props = {
  projectId: number;
  /** The key of its draft: `issues:12`, `issues:12:reply:5`. */
  place: string;
  label: string;
  /** Shown above the field. */
  intro?: ReactNode;
  /** Whether people outside the team will read it; colors the form. */
  isPublic?: boolean;
  /** Asks before sending. False keeps the text. */
  confirm?: (() => Promise<boolean>) | undefined;
  /** The label of its button: "Comment". */
  send: string;
  /** Resolves once the server has the comment, or the browser keeps it until the connection is back. The field is empty meanwhile; a failure restores the text. */
  onSend: (content: string, attachmentIds: number[]) => Promise<unknown>;
  /** Where its files are added: for a new comment, to the issue or epic, from which it takes them over. */
  attachPath?: string | undefined;
  onCancel?: () => void;
  /** Opens the field again after a discarded text was restored. */
  onRestore?: () => void;
  /** The initial text of an edit. It stays in the field until it is saved. */
  start?: string;
  placeholder?: string;
  ref?: Ref<HTMLTextAreaElement>;
};

/** The field for writing a comment. ⌘↵ sends. Failures and reloads keep the text. */
export function Composer(props: Props) {
  const {
    projectId,
    label,
    send,
    intro,
    isPublic = false,
    onCancel,
    placeholder,
    attachPath,
    ref,
    start,
  } = props;
  const { form, text, setText, round, submit, cancel, busy, error, uploading, ready } = useComposer(props);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc anywhere in it, as in a dialog
    <form
      ref={form}
      aria-label={label}
      className={cx(
        "flex min-w-0 scroll-mb-4 flex-col gap-2",
        isPublic && "rounded-md border border-warn bg-warn-tint p-3",
      )}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (onCancel) cancel();
        // The keys of the page work again, and Tab continues from here.
        else if (event.target instanceof HTMLTextAreaElement) event.target.blur();
      }}
    >
      {intro}
      <MarkdownEditor
        key={round}
        label={label}
        value={text}
        onChange={setText}
        projectId={projectId}
        attachPath={attachPath}
        max={MAX_LENGTH}
        rows={onCancel ? 3 : 4}
        onSubmit={() => void submit()}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(ref === undefined ? {} : { ref })}
      />
      <OfflineNotice isEdit={start !== undefined} />
      <FormError>{error && <>Could not be sent. {error} Your text was kept.</>}</FormError>
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-sm text-text-3">
          {uploading
            ? "You can send once the files are uploaded or removed."
            : "Type / for commands, @ to mention someone."}
        </span>
        {onCancel && (
          <Button onClick={cancel} shortcut="Escape">
            Cancel
          </Button>
        )}
        <Button variant="primary" type="submit" busy={busy} disabled={!ready && !busy} shortcut="mod+Enter">
          {send}
        </Button>
      </div>
    </form>
  );
}

/** The text, which is a draft until the server has it. */
function useComposer({ place, confirm, onSend, onCancel, onRestore, start, attachPath }: Props) {
  const me = useProfile().id;
  const { text, setText, clear, forget } = useDraft(me, place, start);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [round, setRound] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useKeptPlace(form);
  const staysInView = useStaysInView(form);
  useFocusWhenReturned(place, form);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  const uploading = isUploading(text);
  const ready = text.trim() !== "" && text !== start && !uploading && countCodePoints(text) <= MAX_LENGTH;

  const submit = async () => {
    if (!ready || busy) return;
    if (confirm && !(await confirm())) return;
    setBusy(true);
    setError(undefined);
    if (start === undefined) {
      staysInView.begin();
      clear();
    }
    try {
      const files = start === undefined && attachPath !== undefined ? filesIn(text, attachPath) : [];
      await onSend(text, files);
      forgetFiles(files);
      if (start !== undefined || latest.current === "") forget();
      // Leave the preview, so that the next comment can be typed.
      if (document.activeElement?.tagName !== "TEXTAREA") setRound((before) => before + 1);
    } catch (thrown) {
      // The person may have started another comment meanwhile.
      if (start === undefined) setText(latest.current.trim() === "" ? text : `${text}\n\n${latest.current}`);
      setError(reasonOf(thrown));
    } finally {
      staysInView.end();
      setBusy(false);
    }
  };
  const cancel = () => {
    clear();
    forget();
    onCancel?.();
    if (text.trim() === "" || text === start) return;
    toast({
      title: "Your text was discarded",
      subjects: [place],
      undo: () => {
        textDraft(me, place).write(text);
        onRestore?.();
      },
    });
  };
  return { form, text, setText, round, submit, cancel, busy, error, uploading, ready };
}

/** Takes the focus that a canceled comment has lost, because its text is now in this field. */
function useFocusWhenReturned(place: string, form: RefObject<HTMLFormElement | null>) {
  const returned = useStore(returnedTexts).get(place) ?? 0;
  const before = useRef(returned);
  useEffect(() => {
    const isNew = returned > before.current;
    before.current = returned;
    if (isNew && document.activeElement === document.body) form.current?.querySelector("textarea")?.focus();
  }, [returned, form]);
}

/**
 * Keeps the form in view while its text is sent: the new comment moves it down, maybe out of view. After the response, the
 * person may have scrolled elsewhere.
 */
function useStaysInView(form: RefObject<HTMLFormElement | null>) {
  const top = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (top.current === undefined || form.current?.offsetTop === top.current) return;
    top.current = undefined;
    form.current?.scrollIntoView({ block: "nearest" });
  });
  return {
    begin: () => void (top.current = form.current?.offsetTop),
    end: () => void (top.current = undefined),
  };
}

function OfflineNotice({ isEdit }: { isEdit: boolean }) {
  if (!useStore(connectionLost)) return null;
  return (
    <p role="status" className="flex items-center gap-2 rounded-md bg-warn-tint px-3 py-2 text-sm text-warn">
      <WifiOff aria-hidden size={14} className="shrink-0" />
      No connection to the server.{" "}
      {isEdit
        ? "What you write is kept in this browser."
        : "You can write; your comment is sent when the connection is back."}
    </p>
  );
}
