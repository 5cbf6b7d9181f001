/** Codes of an envelope. Separate from the table of error codes, which the first page does not load. */

/** The call succeeded. */
export const SUCCESS = 1

/** The session has ended: the client logs in again. */
export const SESSION_GONE = 999
