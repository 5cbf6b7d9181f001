/** User numbers count from here: on users' screens, at the desk, in files and mails. */
export const USER_NUMBER_BEGINS_AT = 100_000

/** The user number shown everywhere: `100002` for the account 2. */
export const userNumber = (accountId: number | bigint): string =>
  String(BigInt(USER_NUMBER_BEGINS_AT) + BigInt(accountId))
