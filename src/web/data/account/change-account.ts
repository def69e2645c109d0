import type { z } from "zod";
import type { Profile, profileBody } from "../../../shared/people.ts";
import type { personalTokenBody } from "../../../shared/personal-tokens.ts";
import type { Link, NewSecondFactor, RecoveryCodes } from "../../../shared/sign-in.ts";
import { api } from "../../api/client.ts";
import { changeSession } from "../../api/session-end.ts";

/** A password that was entered to confirm a change. Who signs in without one leaves it empty. */
const confirmedBy = (password: string) => (password === "" ? {} : { current_password: password });

/** Changing the email address needs the password. */
export const changeProfile = (
  changes: Omit<z.input<typeof profileBody>, "current_password">,
  password: string,
) => api.patch<Profile>("/api/profile", { ...changes, ...confirmedBy(password) });

/** The server ends this session and opens another. */
export const changePassword = (password: string, current: string) =>
  changeSession(() => api.post("/api/profile/password", { password, ...confirmedBy(current) }));

const CONFIRMATION = "/api/profile/email-confirmation";

export const sendConfirmation = () => api.post(CONFIRMATION);

export const cancelAddressChange = () => api.delete(CONFIRMATION);

export function setPicture(file: File): Promise<Profile> {
  const form = new FormData();
  form.append("file", file);
  return api.post<Profile>("/api/profile/picture", form);
}

export const removePicture = () => api.delete("/api/profile/picture");

export const createPersonalToken = (body: z.input<typeof personalTokenBody>) =>
  api.post<{ token: string }>("/api/profile/tokens", body);

export const revokePersonalToken = (id: number | undefined) => api.delete(`/api/profile/tokens/${id}`);

export const endSession = (id: number) => api.delete(`/api/profile/sessions/${id}`);

export const endOtherSessions = () => api.delete("/api/profile/sessions");

/** Starts linking an account at the identity provider, which returns to the path. */
export const linkIdentity = (returnTo: string, password: string) =>
  api.post<Link>("/api/profile/identities", { return_to: returnTo, ...confirmedBy(password) });

export const unlinkIdentity = (id: number | undefined) => api.delete(`/api/profile/identities/${id}`);

export const signInAgain = (returnTo: string) =>
  api.post<Link>("/api/profile/sign-in-again", { return_to: returnTo });

const SECOND_FACTOR = "/api/profile/second-factor";

export const startSecondFactor = (password: string) =>
  api.post<NewSecondFactor>(SECOND_FACTOR, confirmedBy(password));

export const confirmSecondFactor = (code: string) =>
  api.post<RecoveryCodes>(`${SECOND_FACTOR}/confirm`, { code });

export const renewRecoveryCodes = (code: string) =>
  api.post<RecoveryCodes>(`${SECOND_FACTOR}/recovery-codes`, { code });

export const turnOffSecondFactor = (code: string) => api.delete(SECOND_FACTOR, { code });
