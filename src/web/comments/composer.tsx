import { type Ref, useEffect, useMemo, useRef, useState } from "react";
import { ApiError, messageOf } from "../api/client.ts";
import { usePeople } from "../data/people.ts";
import { useProfile } from "../data/session.ts";
import { Button } from "../kit/button.tsx";
import { countCodePoints } from "../kit/code-points.ts";
import { FormError } from "../kit/form-error.tsx";
import { MarkdownEditor } from "../kit/markdown-editor.tsx";
import { useDraft } from "./drafts.ts";

/** Code points a comment may have (service.md 2.3). */
const MOST = 10_000;

type Props = {
  projectId: number;
  /** Where its draft belongs: `issues:12`, `issues:12:reply:5`. */
  place: string;
  label: string;
  /** The verb on its button: "Comment". */
  send: string;
  /** Resolves once it has arrived. The field is empty meanwhile; a failure puts the text back. */
  onSend: (content: string) => Promise<unknown>;
  onCancel?: () => void;
  /** What is there to begin with, of an edit. It then stays in the field until it is saved. */
  start?: string;
  placeholder?: string;
  ref?: Ref<HTMLTextAreaElement>;
};

/** Where a comment is written. ⌘↵ sends; nothing that was written is ever lost to a failure or a reload. */
export function Composer({
  projectId,
  place,
  label,
  send,
  onSend,
  onCancel,
  start,
  placeholder,
  ref,
}: Props) {
  const me = useProfile().id;
  const people = useMentionable(projectId);
  const { text, setText, clear, forget } = useDraft(me, place, start);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [round, setRound] = useState(0);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  const ready = text.trim() !== "" && text !== start && countCodePoints(text) <= MOST;

  const submit = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(undefined);
    if (start === undefined) clear();
    try {
      await onSend(text);
      if (start !== undefined || latest.current === "") forget();
      // After a look at the preview one writes again.
      if (document.activeElement?.tagName !== "TEXTAREA") setRound((before) => before + 1);
    } catch (thrown) {
      // Meanwhile something else may have been begun.
      if (start === undefined) setText(latest.current.trim() === "" ? text : `${text}\n\n${latest.current}`);
      setError((thrown instanceof ApiError && thrown.of("content")) || messageOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  const cancel = () => {
    clear();
    forget();
    onCancel?.();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc anywhere in it, as in a dialog
    <form
      aria-label={label}
      className="flex min-w-0 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || !onCancel) return;
        // What was written is not thrown away by one key.
        if (text.trim() === "" || text === start) cancel();
      }}
    >
      <MarkdownEditor
        key={round}
        label={label}
        value={text}
        onChange={setText}
        people={people}
        max={MOST}
        rows={onCancel ? 3 : 4}
        onSubmit={() => void submit()}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(ref === undefined ? {} : { ref })}
      />
      <FormError>{error && <>Not sent. {error} Your text is kept.</>}</FormError>
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-sm text-text-3">Markdown, and @ to mention somebody</span>
        {onCancel && <Button onClick={cancel}>Cancel</Button>}
        <Button variant="primary" type="submit" busy={busy} disabled={!ready && !busy} shortcut="mod+Enter">
          {send}
        </Button>
      </div>
    </form>
  );
}

function useMentionable(projectId: number) {
  const { all } = usePeople(projectId);
  return useMemo(() => all.map((person) => ({ ...person, id: person.user_id })), [all]);
}
