import { Input } from "../kit/input.tsx";

export function CodeInput({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  return (
    <Input
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="one-time-code"
      spellCheck={false}
      className="font-mono"
      maxLength={100}
      required
    />
  );
}
