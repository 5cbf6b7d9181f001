/** Receipts as a hash chain per account (trading-rules §6): each names the hash of the one before. */
import { hash } from 'node:crypto'
import type { Event } from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { ReceiptTable } from '../../platform/database/schema.ts'
import { readEvent } from '../journal/entry-codec.ts'

/** The previous hash in the first receipt of an account. */
const NO_RECEIPT = '0'.repeat(64)

/** Accounts whose last receipt is cached; the table has the others. */
const MAX_CACHED = 20_000
/** Accounts per query. */
const LOAD_CHUNK = 512

export type ProvenEvent = Extract<Event, { receipt: unknown }>

/** An event with a receipt, before it is numbered and hashed. */
export type Proof = {
  readonly id: number
  readonly accountId: number
  readonly orderId: number
  readonly at: number
  /** The text of the event in the journal. */
  readonly text: string
}

/** The last receipt of an account's chain. */
export type ChainHead = { readonly number: number; readonly hash: string }

export const NO_CHAIN: ChainHead = { number: 0, hash: NO_RECEIPT }

/** The order of a receipt: a closed part has an id of its own. */
export const provenOrder = (event: ProvenEvent): number =>
  event.type === 'positionReduced' ? event.partId : event.orderId

/** The text of a receipt, which its hash covers. `text` is the event as in the journal. */
export const receiptBody = (number: number, { at, text }: Pick<Proof, 'at' | 'text'>): string =>
  `{"number":${number},"at":${at},"event":${text}}`

/** Reads a text by `receiptBody`, of any version so far. Throws when it is not a receipt. */
export function readReceipt(body: string): { number: number; at: number; event: ProvenEvent } {
  const { number, at, event: raw } = JSON.parse(body) as { number: number; at: number; event: unknown }
  const event = readEvent(raw)
  if ('receipt' in event) return { number, at, event }
  throw new Error(`receipt ${number} proves nothing`)
}

/** Covers a receipt and, through the previous hash, all earlier receipts of the account. */
export const receiptHash = (previousHash: string, body: string): string => hash('sha256', previousHash + body)

/** Numbers and hashes receipts. Its cache is correct as long as every row it returns is written. */
export type ReceiptChain = {
  seal(queries: Queries, proofs: readonly Proof[]): Promise<Written<ReceiptTable>[]>
  /** Drops the cache after a write whose outcome is unknown. */
  forget(): void
}

export function createReceiptChain(): ReceiptChain {
  const ends = new Map<number, ChainHead>()

  const setEnd = (accountId: number, end: ChainHead) => {
    ends.delete(accountId)
    ends.set(accountId, end)
  }

  const seal = (proof: Proof): Written<ReceiptTable> => {
    const { id, accountId, orderId, at } = proof
    const { number: last, hash: previousHash } = ends.get(accountId) ?? NO_CHAIN
    const number = last + 1
    const body = receiptBody(number, proof)
    const end = { number, hash: receiptHash(previousHash, body) }
    setEnd(accountId, end)
    const row = { id, account_id: accountId, number, order_id: orderId, at }
    return { ...row, previous_hash: previousHash, hash: end.hash, body }
  }

  return {
    seal: async (queries, proofs) => {
      const unknown = new Set(proofs.map(({ accountId }) => accountId).filter((id) => !ends.has(id)))
      for (const [id, end] of await loadEnds(queries, [...unknown])) setEnd(id, end)
      const rows = proofs.map(seal)
      for (const id of ends.keys()) {
        if (ends.size <= MAX_CACHED) break
        ends.delete(id)
      }
      return rows
    },
    forget: () => ends.clear(),
  }
}

/**
 * Two index lookups for each account. A join would scan the whole table while it has just grown and the database has no
 * statistics yet.
 */
async function loadEnds(queries: Queries, accountIds: readonly number[]): Promise<Map<number, ChainHead>> {
  const found = new Map<number, ChainHead>()
  for (let start = 0; start < accountIds.length; start += LOAD_CHUNK) {
    const ids = padded(accountIds.slice(start, start + LOAD_CHUNK).map(BigInt))
    const rows = await queries
      .selectFrom('account')
      .where('account.id', 'in', ids)
      .select(({ selectFrom }) => {
        const receipts = selectFrom('receipt').whereRef('receipt.account_id', '=', 'account.id')
        const newest = receipts.orderBy('receipt.number', 'desc').limit(1)
        return ['account.id', newest.select('number').as('number'), newest.select('hash').as('hash')]
      })
      .execute()
    for (const { id, number, hash: last } of rows)
      if (number !== null && last !== null) found.set(Number(id), { number: Number(number), hash: last })
  }
  return found
}

/** Pads to a power of two by repeating the last: each length is a statement of its own, which the connection keeps prepared. */
function padded(ids: readonly bigint[]): bigint[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? 0n)
}
