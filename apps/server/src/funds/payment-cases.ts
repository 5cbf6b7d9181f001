import { isRejection, type Entry, type Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { readEngine } from '../engine/calls.ts'
import { isUnavailable, type Engine, type EngineCommand } from '../engine/engine.ts'
import { type Done, type FollowUps, newRequest } from '../engine/follow-ups.ts'
import type { Addressee, MessageWriter } from '../notices/message-writer.ts'
import type { KeyedMutex } from '../platform/concurrency.ts'
import type { Queries } from '../platform/database/open.ts'
import type { DepositTable, WithdrawalTable } from '../platform/database/payment-schema.ts'
import type { Tables } from '../platform/database/schema.ts'
import { transactionKey } from '../platform/database/transaction-number.ts'
import type { Pictures } from '../platform/files/pictures.ts'
import type { UserCall } from '../platform/http/api.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'

/** What deposits and withdrawals need, including services of other areas. */
export type PaymentServices = {
  readonly followUps: FollowUps
  readonly queries: Queries
  readonly engine: Engine
  readonly messageWriter: MessageWriter
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly settings: { readonly payout_wait_hours: number; readonly unverified_may_withdraw: number }
  /** Where to send messages about an account; null if there is no address. */
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  /** Null if the second factor is right or not needed. A passkey's signature counts for its purpose alone. */
  readonly checkSecondFactor: (
    userId: number,
    authCode: string | null,
    purpose: 'withdrawal',
  ) => Promise<Refusal | null>
  /** The same, or the password where no second factor is set up. */
  readonly checkIdentity: (
    userId: number,
    password: string | null,
    authCode: string | null,
    purpose: 'payoutMethod',
  ) => Promise<Refusal | null>
  /** Pictures that prove deposits. */
  readonly proofs: Pick<Pictures, 'ownPictureOf' | 'tie'>
  /** By the id of a payout currency, which its changes wait for. */
  readonly withCurrency: KeyedMutex
  /** Called when a case is submitted or withdrawn. */
  readonly onSubmitted: () => void
}

export type CaseServices = PaymentServices & { readonly cases: PaymentCases; readonly withLock: KeyedMutex }

/** The row of a case, without its id. */
type Body =
  | { readonly kind: 'deposit'; readonly row: Omit<DepositTable, 'case_id' | 'reference_key'> }
  | { readonly kind: 'withdrawal'; readonly row: Omit<WithdrawalTable, 'case_id' | 'reference_key'> }

export type NewCase = Body & {
  readonly userId: number
  /** The name of the call, and the request id that the client gave it. */
  readonly call: string
  readonly request: Request | undefined
  readonly command: (request: Request) => EngineCommand
}

type PaymentCases = {
  /**
   * Opens a case in the engine and writes its row, both or neither; returns the case's id. A repeated request returns
   * the case that it opened.
   */
  open(draft: NewCase): Promise<number | Refusal>
}

type Parts = Pick<PaymentServices, 'followUps' | 'proofs'>

export function createPaymentCases({ followUps, proofs }: Parts): PaymentCases {
  for (const kind of ['deposit', 'withdrawal'] as const)
    followUps.register(kind, (row, { entry }, done) =>
      writeRow({ followUps, proofs }, { kind, row } as Body, entry, done),
    )
  return {
    open: async ({ userId, call, request = newRequest(userId, call), command, kind, row }) => {
      const outcome = await followUps.execute({
        kind,
        body: row,
        request,
        command: command(request),
        mustFollow: true,
      })
      if (isRefusal(outcome)) return outcome
      return caseIn(outcome.entry) ?? refuse('internal')
    },
  }
}

/** Writes the row of a case and ties its picture to it, both or neither, once. */
async function writeRow(
  { followUps, proofs }: Parts,
  body: Body,
  entry: Pick<Entry, 'events'>,
  done: Done,
): Promise<void> {
  const caseId = caseIn(entry)
  if (caseId === null) throw new Error(`the engine accepted a ${body.kind} without opening a case`)
  await followUps.within(async (within) => {
    await insert(within, body, BigInt(caseId))
    if (body.kind === 'deposit') await proofs.tie(within, body.row.proof, `deposit:${caseId}`)
    await done(within)
  })
}

async function insert(within: Transaction<Tables>, body: Body, caseId: bigint): Promise<void> {
  const keys = { case_id: caseId, reference_key: transactionKey(body.row.reference) }
  if (body.kind === 'deposit')
    await within
      .insertInto('deposit')
      .values({ ...body.row, ...keys })
      .onConflict((conflict) => conflict.column('case_id').doNothing())
      .execute()
  else
    await within
      .insertInto('withdrawal')
      .values({ ...body.row, ...keys })
      .onConflict((conflict) => conflict.column('case_id').doNothing())
      .execute()
}

function caseIn({ events }: Pick<Entry, 'events'>): number | null {
  const opened = events.find(({ type }) => type === 'depositOpened' || type === 'withdrawalHeld')
  return opened && 'caseId' in opened ? opened.caseId : null
}

/** The most open cases of one kind for each user: the engine keeps them in memory. */
const OPEN_CASES_MAX = 20

/** The refusal of a user who has too many open cases of a kind; null if they may open another. */
export async function refusalOfAnotherCase(
  engine: Engine,
  userId: number,
  kind: 'deposit' | 'withdrawal',
): Promise<Refusal | null> {
  const open = await readEngine(engine, ({ cases }) => {
    let count = 0
    for (const each of cases.values()) if (each.accountId === userId && each.kind === kind) count += 1
    return count
  })
  if (isRefusal(open)) return open
  return open < OPEN_CASES_MAX ? null : refuse('tooManyCases', { most: OPEN_CASES_MAX })
}

/**
 * The case that the same request opened before, or why it is refused; null for a new request, which has to be checked.
 * Only the engine knows how long a request is remembered: it opens a new case for a forgotten one.
 */
export async function earlierCase(
  { engine, followUps }: Pick<PaymentServices, 'engine' | 'followUps'>,
  { request }: Pick<UserCall<unknown>, 'request'>,
): Promise<number | Refusal | null> {
  const earlier = request ? await engine.earlierAnswer(request) : null
  if (earlier === null) return null
  if (isUnavailable(earlier)) return refuse('engineUnavailable')
  if (isRejection(earlier)) return earlier
  // A lost database may have interrupted the writing of its row.
  await followUps.settle()
  return caseIn(earlier) ?? refuse('internal')
}
