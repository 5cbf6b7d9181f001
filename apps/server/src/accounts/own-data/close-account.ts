import type { Transaction } from 'kysely'
import { REMOVAL } from '../../platform/database/file-schema.ts'
import { identityCase } from '../../platform/database/identity-schema.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { wholeUnits } from '../../platform/config/app-settings.ts'
import { type Closing, type OwnProof, userNumber } from '@fairlot/contract'
import { closingObstacles, money, type Money, type Rejection, type State } from '@fairlot/core'
import { noteActivity } from '../../platform/database/user-activity.ts'
import type { UserCall } from '../../platform/http/api.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { readEngine, resultOf } from '../../engine/calls.ts'
import type { OwnDataServices } from './export.ts'

/**
 * Erases the personal data of a closed account. What the law requires stays: journal, ledger and receipts, which hold
 * no names; deposits and withdrawals with their accounts and proofs; consents; the identity of verified users whose
 * money has moved; the support chat; operators' actions. Returns false if it was done before.
 */
async function eraseUser(within: Transaction<Tables>, userId: number, at: number): Promise<boolean> {
  const id = BigInt(userId)
  const { numUpdatedRows } = await within
    .updateTable('app_user')
    // Neither the demo secret nor the invitation code is valid any more: no code has this form.
    .set({ closed_at: BigInt(Math.floor(at)), demo_hash: null, invite_code: `closed ${userId}` })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await eraseContact(within, id)
  for (const table of ERASED_TABLES) await within.deleteFrom(table).where('user_id', '=', id).execute()
  await within.updateTable('user_activity').set(NO_ORIGIN).where('user_id', '=', id).execute()
  await within.updateTable('consent').set({ address: '' }).where('user_id', '=', id).execute()
  await eraseMethods(within, id, at)
  await eraseIdentity(within, id)
  // Pictures that no case uses. The next clean-up deletes their bytes.
  await within
    .updateTable('stored_file')
    .set({ used_by: REMOVAL })
    .where('user_id', '=', id)
    .where('used_by', 'is', null)
    .execute()
  return true
}

/** Tables from which all rows of the user are deleted. */
const ERASED_TABLES = [
  'second_factor',
  'recovery_code',
  'passkey',
  'known_login',
  'watched_instrument',
  'news_seen',
  'notice',
  'notice_choice',
  'push_subscription',
  'margin_warned',
] as const

/** Frees the address or number for another account and deletes its messages, except those still to be sent. */
async function eraseContact(within: Transaction<Tables>, id: bigint): Promise<void> {
  const deleted = await within
    .deleteFrom('member')
    .where('user_id', '=', id)
    .returning(['email', 'email_key', 'phone'])
    .executeTakeFirst()
  if (!deleted) return
  const contacts = [deleted.email, deleted.email_key, deleted.phone].filter((contact) => contact !== null)
  await within.deleteFrom('verification_code').where('target', 'in', contacts).execute()
  await within
    .deleteFrom('outbox')
    .where('recipient', 'in', contacts)
    .where('state', '!=', 'waiting')
    .execute()
}

/** Blanks the receiving methods. Withdrawals keep a copy of the method that they were paid to. */
async function eraseMethods(within: Transaction<Tables>, id: bigint, at: number): Promise<void> {
  const rows = await within
    .selectFrom('receiving_method')
    .select(['id', 'details', 'removed_at', 'destination'])
    .where('user_id', '=', id)
    .execute()
  for (const row of rows)
    await within
      .updateTable('receiving_method')
      .set({
        details: blanked(row.details),
        account_key: '',
        removed_at: row.removed_at ?? BigInt(Math.floor(at)),
      })
      .where('id', '=', row.id)
      .execute()
  for (const { destination } of rows) if (destination !== null) await eraseDestination(within, destination)
}

/** Erases a payout destination unless another user has it; the journal keeps its number. */
async function eraseDestination(within: Transaction<Tables>, id: bigint): Promise<void> {
  const others = await within
    .selectFrom('receiving_method')
    .select('id')
    .where('destination', '=', id)
    .where('account_key', '<>', '')
    .limit(1)
    .executeTakeFirst()
  if (others) return
  await within
    .updateTable('payout_destination')
    .set({ account_key: `forgotten ${id}` })
    .where('id', '=', id)
    .execute()
}

/** The same fields, all empty. */
const blanked = (details: string): string =>
  JSON.stringify(JSON.parse(details, (_name, value: unknown) => (typeof value === 'string' ? '' : value)))

/** Deletes the identity documents, except those of verified users whose money has moved. */
async function eraseIdentity(within: Transaction<Tables>, id: bigint): Promise<void> {
  const verified = await within
    .selectFrom('verified_person')
    .innerJoin('money_case', 'money_case.account_id', 'verified_person.user_id')
    .select('money_case.id')
    .where('user_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (verified) return
  await within.deleteFrom('identity_check').where('user_id', '=', id).execute()
  await within
    .updateTable('stored_file')
    .set({ used_by: REMOVAL })
    .where('user_id', '=', id)
    .where('used_by', '=', identityCase(id))
    .execute()
}

const NO_ORIGIN = { device: '', address: '' }

/** Closes accounts for good: the engine decides, then the user's personal data is erased. */
export function createClosing(services: OwnDataServices) {
  const { queries, engine, sessions, messageWriter, settings, now, checkProof, contactOf, onError } = services
  const leftMax = (): Money => wholeUnits(settings.closing_left_max)

  /** Can be repeated: `finish` completes it for closed accounts that still have personal data. */
  const erase = async (userId: number) => {
    const contact = await contactOf(userId)
    const end = await queries.transaction().execute(async (within) => {
      if (!(await eraseUser(within, userId, now()))) return null
      await noteActivity(within, { userId, kind: 'accountClosed', at: now(), ...NO_ORIGIN })
      const number = userNumber(userId)
      if (contact) await messageWriter.write('accountClosed', contact, { number }, within)
      return sessions.endAllWithin(userId, within)
    })
    await end?.()
    messageWriter.send()
  }

  const isClosed = (userId: number) =>
    readEngine(engine, ({ accounts }) => accounts.get(userId)?.status === 'closed')

  return {
    /** All obstacles to closing the account. */
    get: async ({ user }: Pick<UserCall<null>, 'user'>): Promise<Closing | Refusal> => {
      const seen = await readEngine(engine, (state) => {
        const account = state.accounts.get(user.id)
        return account
          ? {
              found: closingObstacles(state, account, leftMax()).flatMap((each) =>
                shown(each, state, user.id),
              ),
              balance: account.available.balance,
            }
          : refuse('accountNotFound')
      })
      if (isRefusal(seen)) return seen
      return { obstacles: seen.found, balance: seen.balance, leftMax: leftMax() }
    },

    close: async ({ user, input, request }: UserCall<OwnProof>): Promise<null | Refusal> => {
      const barrier = await checkProof(user, input, 'closing')
      if (barrier) return barrier
      const command = { type: 'closeAccount', accountId: user.id, leftMax: leftMax(), request } as const
      const done = await resultOf(engine, command)
      if (isRefusal(done)) {
        // An earlier call closed the account and was interrupted: complete it.
        if (done.rejected !== 'accountClosed' || (await isClosed(user.id)) !== true) return done
      }
      await erase(user.id)
      return null
    },

    /** Finishes closings that a crash or a lost database interrupted. */
    finish: async (): Promise<void> => {
      await engine.caughtUp()
      const rows = await queries
        .selectFrom('account')
        .innerJoin('app_user', 'app_user.id', 'account.id')
        .select('account.id')
        .where('account.status', '=', 'closed')
        .where('app_user.closed_at', 'is', null)
        .execute()
      for (const { id } of rows)
        await erase(Number(id)).catch((error: unknown) =>
          onError(error, 'erasing the personal data of a closed account'),
        )
    },
  }
}

const OPEN_CASES = {
  deposit: 'depositsOpen',
  withdrawal: 'withdrawalsOpen',
  adjustment: 'correctionsOpen',
} as const

/** An obstacle with its count or amount. Cases are listed by kind, as the user finds each kind in another place. */
function shown(
  { rejected, details: { count, free } }: Rejection,
  { cases }: Pick<State, 'cases'>,
  userId: number,
): Closing['obstacles'] {
  if (rejected === 'casesOpen') {
    const kinds = [...cases.values()].flatMap(({ accountId, kind }) => (accountId === userId ? [kind] : []))
    return (['deposit', 'withdrawal', 'adjustment'] as const).flatMap((kind) => {
      const many = kinds.filter((each) => each === kind).length
      return many === 0 ? [] : { what: OPEN_CASES[kind], count: many, amount: null }
    })
  }
  return [
    {
      what: rejected as Closing['obstacles'][number]['what'],
      count: typeof count === 'number' ? count : null,
      amount: typeof free === 'bigint' ? money(free) : null,
    },
  ]
}
