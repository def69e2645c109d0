import type { z } from "zod";
import type { Invitation, invitationBody } from "../../../shared/invitations.ts";
import type { MailTest } from "../../../shared/mails.ts";
import type { Role } from "../../../shared/roles.ts";
import type { Workspace, workspaceChanges, workspaceMemberChanges } from "../../../shared/workspaces.ts";
import { api, withQuery } from "../../api/client.ts";

/** With the link, which the server does not keep. */
export type NewInvitation = Invitation & { link: string };

type RoleFields = Pick<Role, "name"> & { permissions: readonly string[] };

const at = (workspaceId: number, rest = "") => `/api/workspaces/${workspaceId}${rest}`;

export const createWorkspace = (name: string) => api.post<Workspace>("/api/workspaces", { name });

export const changeWorkspace = (id: number, changes: z.input<typeof workspaceChanges>) =>
  api.patch(at(id), changes);

export const deleteWorkspace = (id: number) => api.delete(at(id));

/** Restores a deleted project or workspace. */
export const restoreDeletion = (id: number) => api.post(`/api/deletions/${id}/restore`);

export const sendTestMail = (id: number) => api.post<MailTest>(at(id, "/mail-test"));

export const changePerson = (id: number, userId: number, changes: z.input<typeof workspaceMemberChanges>) =>
  api.patch(at(id, `/members/${userId}`), changes);

export const removePerson = (id: number, userId: number) => api.delete(at(id, `/members/${userId}`));

export const createRole = (id: number, fields: RoleFields) => api.post(at(id, "/roles"), fields);

export const changeRole = (id: number, roleId: number, changes: Partial<RoleFields>) =>
  api.patch(at(id, `/roles/${roleId}`), changes);

/** Its members and invitations get another role. */
export const deleteRole = (id: number, roleId: number, moveTo: number | undefined) =>
  api.delete(withQuery(at(id, `/roles/${roleId}`), { move_to: moveTo }));

export const createTeam = (id: number, name: string) => api.post(at(id, "/teams"), { name });

export const renameTeam = (id: number, teamId: number, name: string) =>
  api.patch(at(id, `/teams/${teamId}`), { name });

export const deleteTeam = (id: number, teamId: number) => api.delete(at(id, `/teams/${teamId}`));

export const addToTeam = (id: number, teamId: number, userId: number) =>
  api.post(at(id, `/teams/${teamId}/members/${userId}`));

export const removeFromTeam = (id: number, teamId: number, userId: number) =>
  api.delete(at(id, `/teams/${teamId}/members/${userId}`));

export const invite = (id: number, body: z.input<typeof invitationBody>) =>
  api.post<NewInvitation>(at(id, "/invitations"), body);

export const withdrawInvitation = (id: number, invitationId: number) =>
  api.delete(at(id, `/invitations/${invitationId}`));

/** A new invitation replaces the old one. */
export async function inviteAgain(workspaceId: number, invitation: Invitation): Promise<NewInvitation> {
  const { id, email, is_admin, projects } = invitation;
  const replacement = await invite(workspaceId, { email, is_admin, projects });
  await withdrawInvitation(workspaceId, id);
  return replacement;
}
