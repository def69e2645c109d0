import { AREAS, type Area, type Scope } from "../../shared/token-scopes.ts";

export type Level = "none" | "read" | "write";

export type Levels = Record<Area, Level>;

export const NO_AREAS: Levels = { reports: "none", issues: "none", errors: "none" };

export const AREA_LABELS: Record<Area, string> = { reports: "Reports", issues: "Issues", errors: "Errors" };

export const scopesOf = (levels: Levels): Scope[] =>
  AREAS.flatMap((area) => {
    const level = levels[area];
    return level === "none" ? [] : [`${area}:${level}` as const];
  });

export const levelsOf = (scopes: readonly Scope[]): Levels => {
  const levelOf = (area: Area): Level => {
    if (scopes.includes(`${area}:write`)) return "write";
    return scopes.includes(`${area}:read`) ? "read" : "none";
  };
  return { reports: levelOf("reports"), issues: levelOf("issues"), errors: levelOf("errors") };
};

/** "Reports: read, Errors: read & write". */
export const describeScopes = (scopes: readonly Scope[]): string =>
  AREAS.filter((area) => scopes.some((scope) => scope.startsWith(`${area}:`)))
    .map((area) => `${AREA_LABELS[area]}: ${scopes.includes(`${area}:write`) ? "read & write" : "read"}`)
    .join(", ");
