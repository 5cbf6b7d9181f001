/** Codes of an envelope: the call was answered; the session is gone. */
export const SUCCESS = 1
export const SESSION_GONE = 999
