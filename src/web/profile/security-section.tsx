import { useQuery } from "@tanstack/react-query";
import { IdentitiesPanel } from "./identities-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { signInMethodsQuery } from "../data/account/sign-in.ts";
import { SecondFactorPanel } from "./second-factor-panel.tsx";

export function SecuritySection() {
  const provider = useQuery(signInMethodsQuery).data?.oidc ?? null;
  return (
    <>
      <PasswordPanel />
      <SecondFactorPanel />
      {provider !== null && <IdentitiesPanel provider={provider.name} />}
    </>
  );
}
