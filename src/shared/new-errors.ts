/** More new errors of a project are not counted, so that counting stays fast however many there are. */
export const MAX_NEW_ERRORS = 1_000;
