import { ShownOnce } from "../../forms/shown-once.tsx";

/** The secret of a webhook that was just created, or of one that got a new secret. */
export function SecretOnce({
  secret,
  isRotated = false,
  onClose,
}: {
  secret: string;
  isRotated?: boolean;
  onClose: () => void;
}) {
  return (
    <ShownOnce
      title="Copy the secret now"
      description={
        isRotated
          ? "Requests are signed with the old and the new secret for 24 hours."
          : "The webhook is ready."
      }
      label="Secret"
      value={secret}
      copy="Copy secret"
      hint="It is shown only once. Your program needs it to verify that requests come from this server."
      onClose={onClose}
    />
  );
}
