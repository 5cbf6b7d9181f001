import { randomInt } from 'node:crypto'
import type { OperatorRole } from '@fairlot/contract/desk'
import { latinDigits } from '@fairlot/core/decimal'
import type { Transaction } from 'kysely'
import type { OperatorTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { newSecret, secretHash } from '../../platform/security/secrets.ts'

/** The operator who makes a call. */
export type DeskOperator = { readonly id: number; readonly name: string; readonly role: OperatorRole }

/** A row of an operator, with the credentials. */
export type OperatorRow = Omit<OperatorTable, 'id' | 'role'> & {
  readonly id: number
  readonly role: OperatorRole
}

const fromRow = (row: OperatorTable): OperatorRow => ({
  ...row,
  id: Number(row.id),
  role: row.role as OperatorRole,
})

/** Names are compared without regard to case or Unicode composition. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

export async function findOperator(queries: Queries, id: number): Promise<OperatorRow | null> {
  const row = await queries.selectFrom('operator').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()
  return row ? fromRow(row) : null
}

export async function findOperatorByName(queries: Queries, name: string): Promise<OperatorRow | null> {
  const row = await queries
    .selectFrom('operator')
    .selectAll()
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst()
  return row ? fromRow(row) : null
}

/** The operator an invitation is for; null if it was used, has expired or has no confirmation key. `at`: epoch ms. */
export async function findInvited(queries: Queries, hash: string, at: number): Promise<OperatorRow | null> {
  const row = await queries
    .selectFrom('operator')
    .selectAll()
    .where('invitation_hash', '=', hash)
    .where('invited_until', '>', BigInt(Math.floor(at)))
    .where('confirmation_hash', 'is not', null)
    .where('is_on', '=', 1n)
    .executeTakeFirst()
  return row ? fromRow(row) : null
}

/** All operators, by id. */
export const listOperatorRows = async (queries: Queries): Promise<OperatorRow[]> =>
  (await queries.selectFrom('operator').selectAll().orderBy('id').execute()).map(fromRow)

type NewOperator = Pick<OperatorTable, 'name' | 'role'> &
  Partial<Pick<OperatorTable, 'id' | 'password_hash'> & KeyColumns>

/** The id of the next operator. Changes of operators run one after the other, so it is not taken. */
export async function nextOperatorId(queries: Queries): Promise<number> {
  const { last } = await queries
    .selectFrom('operator')
    .select((select) => select.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return Number((last as bigint | null) ?? 0n) + 1
}

/** Adds an operator and returns their id: the given one, or the next. */
export async function addOperator(
  within: Transaction<Tables>,
  operator: NewOperator,
  at: number,
): Promise<number> {
  const id = operator.id ?? BigInt(await nextOperatorId(within))
  await within
    .insertInto('operator')
    .values({
      password_hash: null,
      ...NO_KEYS,
      totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: 0n,
      last_seen_at: null,
      id,
      name_key: nameKey(operator.name),
      is_on: 1n,
      created_at: BigInt(Math.floor(at)),
      ...operator,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return Number(id)
}

export const changeOperatorRow = async (
  within: Queries,
  id: number,
  change: Partial<Omit<OperatorTable, 'id'>>,
): Promise<void> => {
  await within.updateTable('operator').set(change).where('id', '=', BigInt(id)).execute()
}

/** Whether an operator is an administrator who can log in. */
export const canAdminister = (row: Pick<OperatorRow, 'role' | 'is_on' | 'password_hash'>): boolean =>
  row.role === 'administrator' && row.is_on === 1n && row.password_hash !== null

/** Joining needs two keys: the invitation, created on request, and the confirmation, created on approval. They are valid this long, ms. */
const KEYS_MS = 3 * 86_400_000

/** After so many wrong confirmations the invitation ends. */
export const CONFIRMATION_TRIES = 10

/** Characters that cannot be confused with each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A secret that can be read out and typed, such as `k7m2p-…`, of about 99 bits. */
export const readableSecret = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-')

/** A key, which is shown once, and its hash, which is stored. */
export type NewKey = { readonly shown: string; readonly hash: string }

export function newInvitation(): NewKey {
  const shown = newSecret()
  return { shown, hash: secretHash(shown) }
}

export function newConfirmation(): NewKey {
  const shown = readableSecret()
  return { shown, hash: confirmationHash(shown) }
}

/** The hash of a confirmation, whatever case, spaces and hyphens it is typed with. */
export const confirmationHash = (typed: string): string =>
  secretHash(
    latinDigits(typed)
      .toLowerCase()
      .replaceAll(/[\s\p{Pd}]/gu, ''),
  )

/** The hashes of two keys, and the operators who give them: one and the same in single-operator mode. */
type TwoKeys = {
  readonly invitation: string
  readonly confirmation: string
  readonly operator: DeskOperator
  readonly second?: DeskOperator | null | undefined
}

/** The columns of two keys that are valid from `at` (epoch ms). */
export const keyColumns = (
  { invitation, confirmation, operator, second }: TwoKeys,
  at: number,
): KeyColumns => ({
  invitation_hash: invitation,
  invited_until: BigInt(Math.floor(at) + KEYS_MS),
  confirmation_hash: confirmation,
  confirmation_tries: 0n,
  invited_by: BigInt(operator.id),
  confirmed_by: BigInt((second ?? operator).id),
})

/**
 * Voids the keys that an operator gave and nobody has used, because the operator was switched off or has lost the role
 * or the log-in: their requests and approvals count no longer.
 */
export const voidKeysOf = async (within: Queries, operatorId: number): Promise<void> => {
  await within
    .updateTable('operator')
    .set(NO_KEYS)
    .where('invitation_hash', 'is not', null)
    .where((row) =>
      row.or([row('invited_by', '=', BigInt(operatorId)), row('confirmed_by', '=', BigInt(operatorId))]),
    )
    .execute()
}

/** The columns of keys that were used or tried too often. */
export const NO_KEYS: KeyColumns = {
  invitation_hash: null,
  invited_until: null,
  confirmation_hash: null,
  confirmation_tries: null,
  invited_by: null,
  confirmed_by: null,
}

export type KeyColumns = Pick<
  OperatorTable,
  | 'invitation_hash'
  | 'invited_until'
  | 'confirmation_hash'
  | 'confirmation_tries'
  | 'invited_by'
  | 'confirmed_by'
>

/** Confirmation keys for operators who approve cases. Each is taken once, by the response to the decision. */
export type Confirmations = {
  put(caseKey: string, confirmation: string): void
  take(caseKey: string): string | null
}

export function createConfirmations(): Confirmations {
  const keys = new Map<string, string>()
  return {
    put: (caseKey, confirmation) => void keys.set(caseKey, confirmation),
    take: (caseKey) => {
      const confirmation = keys.get(caseKey) ?? null
      keys.delete(caseKey)
      return confirmation
    },
  }
}
