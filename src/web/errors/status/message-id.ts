/**
 * The id of the message in the row of an error. It describes the controls of the row, whose names have only the class,
 * which many errors share.
 */
export const messageId = ({ id }: { id: number }) => `error-message-${id}`;
