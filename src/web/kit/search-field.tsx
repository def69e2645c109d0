import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Input } from "./input.tsx";
import { useSettled } from "./use-settled.ts";

type Props = {
  label: string;
  placeholder?: string;
  /** The query in the URL. */
  value: string;
  onChange: (value: string) => void;
  className?: string;
  autoFocus?: boolean;
};

/**
 * A search field whose query is in the URL. Typing updates the field immediately and calls `onChange` after a pause.
 * When the URL changes otherwise (back button, link, cleared filter), the field follows.
 */
export function SearchField({ label, placeholder, value, onChange, className, autoFocus = false }: Props) {
  const [text, setText] = useState(value);
  const settled = useSettled(text.trim());
  const last = useRef(value);
  // The last value passed to `onChange`. It may reach the URL late, while the user types on.
  const onTheWay = useRef<string[]>([]);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  useEffect(() => {
    const place = onTheWay.current.indexOf(value);
    onTheWay.current.splice(0, place === -1 ? undefined : place + 1);
    if (place !== -1 || value === last.current) return;
    last.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (settled === last.current) return;
    last.current = settled;
    onTheWay.current.push(settled);
    tell.current(settled);
  }, [settled]);
  return (
    <Input
      icon={Search}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={255}
      autoFocus={autoFocus}
      value={text}
      className={className}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
