import {
  Bold,
  Code,
  Heading,
  Italic,
  Link2,
  List,
  ListTodo,
  Paperclip,
  ListOrdered,
  TextQuote,
} from "lucide-react";
import { useState } from "react";
import { IconButton } from "../kit/icon-button.tsx";
import type { Icon } from "../kit/icon.tsx";
import { moveByArrows } from "./move-by-arrows.ts";
import { FORMAT_KEYS, type FormatId } from "../keys/format-keys.ts";

const BUTTONS: readonly [FormatId, Icon][] = [
  ["heading", Heading],
  ["bold", Bold],
  ["italic", Italic],
  ["link", Link2],
  ["code", Code],
  ["bullet", List],
  ["number", ListOrdered],
  ["task", ListTodo],
  ["quote", TextQuote],
];

type Props = {
  onFormat: (id: FormatId) => void;
  /** Opens the file picker. Without it, no files can be attached. */
  onAttach: (() => void) | undefined;
};

/** One stop for Tab; the arrow keys move between its buttons. */
export function Toolbar({ onFormat, onAttach }: Props) {
  const [current, setCurrent] = useState(0);
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus
    <div
      role="toolbar"
      aria-label="Formatting"
      className="flex max-w-full flex-wrap"
      onKeyDown={moveByArrows}
      // The text field keeps its focus and selection.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {BUTTONS.map(([id, icon], index) => (
        <IconButton
          key={id}
          size="sm"
          icon={icon}
          label={FORMAT_KEYS[id].label}
          shortcut={FORMAT_KEYS[id].keys}
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onClick={() => onFormat(id)}
        />
      ))}
      {onAttach && (
        <IconButton
          size="sm"
          icon={Paperclip}
          label="Attach files"
          tabIndex={current === BUTTONS.length ? 0 : -1}
          onFocus={() => setCurrent(BUTTONS.length)}
          onClick={onAttach}
        />
      )}
    </div>
  );
}
