import { createHash, randomBytes } from 'node:crypto'

/** 192 random bits cannot be guessed, so a fast hash is enough to store them. */
const SECRET_BYTES = 24

/** A new random secret, such as a session token, in base64url. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** The hash of a secret in the database. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')
