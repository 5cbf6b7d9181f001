import { randomInt } from 'node:crypto'
import { PASSWORD_LENGTH } from '@fairlot/contract'
import type { Queries } from '../../database/open.ts'
import type { Hasher } from '../../auth/password-hash.ts'
import { addOperator } from './operator-repository.ts'

/** The name of the operator that a fresh deployment begins with. */
export const FIRST_NAME = 'admin'

/** Letters that nobody takes for one another. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/**
 * Makes the first administrator of a deployment that has none, with the given password or one made now. Answers the password that was
 * made, for the operator to read once; null when nothing was. Throws an Error for a given password that is too short.
 */
export async function makeFirstAdministrator(
  queries: Queries,
  hasher: Hasher,
  given: string | null,
  at: number,
): Promise<string | null> {
  const anybody = await queries.selectFrom('operator').select('id').limit(1).executeTakeFirst()
  if (anybody) return null
  const password = given ?? madePassword()
  if (Array.from(password).length < PASSWORD_LENGTH.least)
    throw new Error(
      `The setting DESK_PASSWORD is wrong: it must have at least ${PASSWORD_LENGTH.least} characters.`,
    )
  const passwordHash = await hasher.hash(password)
  await queries
    .transaction()
    .execute((within) =>
      addOperator(within, { name: FIRST_NAME, role: 'administrator', password_hash: passwordHash }, at),
    )
  return given === null ? password : null
}

const madePassword = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-')
