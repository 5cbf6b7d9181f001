import { randomUUID } from 'node:crypto'
import type { Entry, Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { DepositTable, PaymentDraftTable, WithdrawalTable } from '../database/payment-schema.ts'
import type { Tables } from '../database/schema.ts'
import type { EngineCommand } from '../engine/engine.ts'
import { decodeEntries } from '../engine/journal/entry-codec.ts'
import { isRefusal, refuse, resultOf, type Refusal } from '../http/refusal.ts'
import type { PaymentServices } from './payment-services.ts'

/** What a case is about, all but its number. */
type Body =
  | { readonly kind: 'deposit'; readonly row: Omit<DepositTable, 'case_id'> }
  | { readonly kind: 'withdrawal'; readonly row: Omit<WithdrawalTable, 'case_id'> }

export type Draft = Body & {
  readonly userId: number
  /** The call, and its name where the caller has given it one. */
  readonly call: string
  readonly request: Request | undefined
  /** What the engine is told. */
  readonly command: (request: Request) => EngineCommand
}

/** A case of the engine and the row beside it, of which neither stays without the other. */
export type Drafts = {
  /** Opens the case and writes its row; answers its number. What is asked for once more is the case that it was. */
  open(draft: Draft): Promise<number | Refusal>
  /** Writes the rows of cases that a crash has left without, and forgets what the engine has never taken. */
  settle(before: number): Promise<void>
}

type Parts = Pick<PaymentServices, 'queries' | 'engine' | 'proofs' | 'now'>

/**
 * The row is written as a draft before the engine's word, under the name of its request, and beside the case after it. A server that dies in
 * between finds the draft at its next start, and in the journal what became of it.
 */
export function createDrafts(parts: Parts): Drafts {
  const { queries, engine, now } = parts
  return {
    open: async ({ userId, call, request, command, ...body }) => {
      const named = request ?? { accountId: userId, call, id: randomUUID(), digest: '' }
      const id = idOf(named)
      const { numInsertedOrUpdatedRows: added } = await queries
        .insertInto('payment_draft')
        .values({ id, kind: body.kind, body: write(body.row), drafted_at: BigInt(now()) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      const entry = await resultOf(engine, command(named))
      if (isRefusal(entry)) {
        // Where nobody knows whether it was taken, the draft stays until it shows.
        if (added === 1n && entry.rejected !== 'engineUnavailable') await forget(parts, id)
        return entry
      }
      const caseId = caseIn(entry)
      if (caseId === null) return refuse('internal')
      // A draft of the same request from before says what it was asked for with.
      const draft = await queries
        .selectFrom('payment_draft')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      await finish(parts, id, draft ? bodyOf(draft) : body, caseId)
      return caseId
    },
    settle: async (before) => {
      if (!engine.isReady()) return
      const left = await queries
        .selectFrom('payment_draft')
        .selectAll()
        .where('drafted_at', '<=', BigInt(before))
        .execute()
      if (left.length === 0) return
      await engine.caughtUp()
      for (const draft of left) {
        const caseId = await caseOf(parts, draft.id)
        if (caseId === null) await forget(parts, draft.id)
        else await finish(parts, draft.id, bodyOf(draft), caseId)
      }
    },
  }
}

/** The row beside its case, the picture that belongs to it, and the draft gone: all or nothing, and once. */
const finish = ({ queries, proofs }: Parts, id: string, body: Body, caseId: number): Promise<void> =>
  queries.transaction().execute(async (within) => {
    await insert(within, body, BigInt(caseId))
    if (body.kind === 'deposit') await proofs.tie(within, body.row.proof, `deposit:${caseId}`)
    await within.deleteFrom('payment_draft').where('id', '=', id).execute()
  })

async function insert(within: Transaction<Tables>, body: Body, caseId: bigint): Promise<void> {
  if (body.kind === 'deposit')
    await within
      .insertInto('deposit')
      .values({ ...body.row, case_id: caseId })
      .onConflict((conflict) => conflict.column('case_id').doNothing())
      .execute()
  else
    await within
      .insertInto('withdrawal')
      .values({ ...body.row, case_id: caseId })
      .onConflict((conflict) => conflict.column('case_id').doNothing())
      .execute()
}

const forget = async ({ queries }: Parts, id: string): Promise<void> =>
  void (await queries.deleteFrom('payment_draft').where('id', '=', id).execute())

/** The case that a request has opened, from the journal; null for one that was never taken. */
async function caseOf({ queries }: Parts, id: string): Promise<number | null> {
  const [accountId, call, requestId] = JSON.parse(id) as [number, string, string]
  const row = await queries
    .selectFrom('request')
    .innerJoin('journal', 'journal.seq', 'request.journal_seq')
    .select('entries')
    .where('account_id', '=', BigInt(accountId))
    .where('call', '=', call)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  const entry =
    row && decodeEntries(row.entries).find(({ request }) => request !== null && idOf(request) === id)
  return entry ? caseIn(entry) : null
}

function caseIn({ events }: Pick<Entry, 'events'>): number | null {
  const opened = events.find(({ type }) => type === 'depositOpened' || type === 'withdrawalHeld')
  return opened && 'caseId' in opened ? opened.caseId : null
}

const idOf = ({ accountId, call, id }: Pick<Request, 'accountId' | 'call' | 'id'>): string =>
  JSON.stringify([accountId, call, id])

/** Whole numbers of the tables are no JSON. */
const write = (row: object): string =>
  JSON.stringify(row, (_name, value: unknown) =>
    typeof value === 'bigint' ? { whole: String(value) } : value,
  )

const bodyOf = ({ kind, body }: PaymentDraftTable): Body =>
  ({
    kind,
    row: JSON.parse(body, (_name, value: unknown) =>
      typeof value === 'object' && value !== null && 'whole' in value ? BigInt(String(value.whole)) : value,
    ) as object,
  }) as Body
