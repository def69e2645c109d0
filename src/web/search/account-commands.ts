import { useChangeProfile } from "../data/account.ts";
import { useSignOut } from "../data/sign-out.ts";
import type { Command } from "../keys/commands.ts";
import { applyDensity, DENSITIES, useDensity } from "../kit/density.ts";
import { applyTheme, type Theme } from "../kit/theme.ts";

const THEMES: readonly [Theme, string][] = [
  ["light", "Use the light theme"],
  ["dark", "Use the dark theme"],
  ["system", "Use the theme of the system"],
];

/** What concerns the user rather than the page. It is at the end of the palette. */
export function useAccountCommands(): Command[] {
  const change = useChangeProfile("/api/profile");
  const signOut = useSignOut();
  const density = useDensity();
  return [
    ...THEMES.map(([theme, label]) => ({
      id: `theme-${theme}`,
      label,
      keys: undefined,
      group: "Theme",
      run: () => {
        applyTheme(theme);
        change.mutate({ theme });
      },
    })),
    ...DENSITIES.filter(({ value }) => value !== density).map(({ value, label }) => ({
      id: `density-${value}`,
      label: `Use ${label.toLowerCase()} rows`,
      keys: undefined,
      group: "Theme",
      run: () => applyDensity(value),
    })),
    { id: "sign-out", label: "Sign out", keys: undefined, group: "Account", run: () => signOut.mutate() },
  ];
}
