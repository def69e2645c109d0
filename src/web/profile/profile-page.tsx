import { useSearch } from "@tanstack/react-router";
import { SettingsFrame } from "../forms/settings-frame.tsx";
import { DisplaySection } from "./display-section.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { SecuritySection } from "./security-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TokensSection } from "./tokens-section.tsx";

export function ProfilePage() {
  const { section } = useSearch({ from: "/app/settings/profile" });
  return (
    <SettingsFrame
      title="Profile"
      crumbs={["Your account"]}
      current={section}
      sections={[
        { value: "profile", label: "Profile", content: <ProfileSection /> },
        { value: "display", label: "Display", content: <DisplaySection /> },
        { value: "security", label: "Sign-in", content: <SecuritySection /> },
        { value: "sessions", label: "Sessions", content: <SessionsSection /> },
        { value: "tokens", label: "Tokens", content: <TokensSection /> },
      ]}
    />
  );
}
