import { useId, useState } from "react";
import { WrapText } from "lucide-react";
import { CopyButton } from "../copy-button.tsx";
import { cx } from "../cx.ts";
import { IconButton } from "../icon-button.tsx";

/** Preformatted code or a stack trace, with buttons to copy it and to wrap long lines. */
export function CodeBlock({ code, label, wrap = false }: { code: string; label: string; wrap?: boolean }) {
  const [wrapped, setWrapped] = useState(wrap);
  const labelId = useId();
  return (
    <figure aria-labelledby={labelId} className="overflow-hidden rounded-md border border-line bg-sunken">
      <figcaption className="flex items-center gap-1 border-b border-line py-0.5 ps-3 pe-1 text-sm text-text-2">
        <span id={labelId} className="min-w-0 flex-1 truncate">
          {label}
        </span>
        <IconButton
          size="sm"
          label="Wrap long lines"
          icon={WrapText}
          aria-describedby={labelId}
          aria-pressed={wrapped}
          onClick={() => setWrapped(!wrapped)}
        />
        <CopyButton label="Copy" describedBy={labelId} text={code} />
      </figcaption>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        role="region"
        className={cx(
          "max-h-[60dvh] overflow-auto px-3 py-2 text-sm/[18px] focus-visible:-outline-offset-2",
          wrapped && "wrap-anywhere whitespace-pre-wrap",
        )}
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
