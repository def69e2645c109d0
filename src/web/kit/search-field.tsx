import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Input } from "./input.tsx";
import { useSettled } from "./use-settled.ts";

type Props = {
  label: string;
  placeholder?: string;
  /** What is looked for, as the address has it. */
  value: string;
  onChange: (value: string) => void;
  className?: string;
  autoFocus?: boolean;
};

/**
 * Words to look for that stand in the address. What is typed is shown at once and told when nobody has typed for a
 * moment; an address that changes by itself (back, a link, a cleared filter) is shown.
 */
export function SearchField({ label, placeholder, value, onChange, className, autoFocus = false }: Props) {
  const [text, setText] = useState(value);
  const settled = useSettled(text.trim());
  const last = useRef(value);
  // Told, and perhaps not in the address yet: it comes there later, while more is typed.
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
