/** The group whose page was opened last: the list one comes back to begins there. */
export const lastOpened: { id: number | null } = { id: null };
