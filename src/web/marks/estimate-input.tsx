import type { ComponentProps } from "react";
import { Input } from "../kit/input.tsx";

/** The field for an estimate, typed as it is shown: "1h 30m". `parseEstimate` reads it. */
export function EstimateInput(props: ComponentProps<typeof Input>) {
  return <Input placeholder="1h 30m" autoComplete="off" {...props} />;
}
