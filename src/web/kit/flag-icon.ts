import { createLucideIcon } from "lucide-react";

/** The flag of the logo, which stands for a release. */
export const FlagIcon = createLucideIcon("signalbox-flag", [
  ["path", { d: "M6 21V3", key: "pole" }],
  ["path", { d: "M6 4h13l-3.4 4.25L19 12.5H6", key: "flag" }],
]);
