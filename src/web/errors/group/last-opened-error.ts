/** The group whose page was opened last. The cursor of the list starts there on return. */
export const lastOpenedError: { id: number | null } = { id: null };
