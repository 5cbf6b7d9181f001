import { randomBytes } from 'node:crypto'
import { secretHash } from '../http/login-sessions.ts'

const RECOVERY_CODES = 10
/** 120 bits: enough for a fast hash to store them by. */
const RECOVERY_BYTES = 15

/** Codes for whoever has lost their authenticator, each good once. In groups of five: people write them down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    (randomBytes(RECOVERY_BYTES).toString('hex').match(/.{5}/g) ?? []).join('-').toUpperCase(),
  )

/** What of a code is stored, by whose it is. Small letters and other signs between the groups count the same. */
export const recoveryHash = (owner: string, code: string): string =>
  secretHash(`${owner} ${code.toUpperCase().replace(/[^0-9A-F]/g, '')}`)
