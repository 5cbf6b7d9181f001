/** Receipts as a hash chain per account (trading-rules §6): each names the hash of the one before. */
import { hash } from 'node:crypto'
import type { Event } from '@fairlot/core'
import type { Written } from '../../database/bulk.ts'
import type { Queries } from '../../database/open.ts'
import type { ReceiptTable } from '../../database/schema.ts'
import { readEvent } from '../journal/entry-codec.ts'

/** What the first receipt of an account names as the one before it. */
const NO_RECEIPT = '0'.repeat(64)

/** Accounts whose last receipt is remembered; the table knows those of the others. */
const REMEMBERED = 20_000
/** Accounts asked for in one query. */
const LOAD_CHUNK = 512

export type ProvenEvent = Extract<Event, { receipt: unknown }>

/** An event with a receipt, before it takes its place in the chain. */
export type Proof = {
  readonly id: number
  readonly accountId: number
  readonly orderId: number
  readonly at: number
  /** The event as the journal has it. */
  readonly text: string
}

/** Where the chain of an account ends. */
export type ChainEnd = { readonly number: number; readonly hash: string }

export const NO_CHAIN: ChainEnd = { number: 0, hash: NO_RECEIPT }

/** The order that a receipt belongs to: a closed part has an id of its own. */
export const provenOrder = (event: ProvenEvent): number =>
  event.type === 'positionReduced' ? event.partId : event.orderId

/** What a receipt says, and its hash covers. `text` is the event as the journal has it. */
export const receiptBody = (number: number, { at, text }: Pick<Proof, 'at' | 'text'>): string =>
  `{"number":${number},"at":${at},"event":${text}}`

/** The opposite of `receiptBody`, for receipts of any version so far. Throws where the text is none. */
export function readReceipt(body: string): { number: number; at: number; event: ProvenEvent } {
  const { number, at, event: raw } = JSON.parse(body) as { number: number; at: number; event: unknown }
  const event = readEvent(raw)
  if ('receipt' in event) return { number, at, event }
  throw new Error(`receipt ${number} proves nothing`)
}

/** Covers a receipt and, through the hash before it, all of the account before. */
export const receiptHash = (previousHash: string, body: string): string => hash('sha256', previousHash + body)

/** Gives proofs their places in the chains. What it remembers holds as long as every row it makes is written. */
export type ReceiptChain = {
  seal(queries: Queries, proofs: readonly Proof[]): Promise<Written<ReceiptTable>[]>
  /** After a write whose outcome is unknown the table is asked anew. */
  forget(): void
}

export function createReceiptChain(): ReceiptChain {
  const ends = new Map<number, ChainEnd>()

  const remember = (accountId: number, end: ChainEnd) => {
    ends.delete(accountId)
    ends.set(accountId, end)
  }

  const seal = (proof: Proof): Written<ReceiptTable> => {
    const { id, accountId, orderId, at } = proof
    const { number: last, hash: previousHash } = ends.get(accountId) ?? NO_CHAIN
    const number = last + 1
    const body = receiptBody(number, proof)
    const end = { number, hash: receiptHash(previousHash, body) }
    remember(accountId, end)
    const row = { id, account_id: accountId, number, order_id: orderId, at }
    return { ...row, previous_hash: previousHash, hash: end.hash, body }
  }

  return {
    seal: async (queries, proofs) => {
      const unknown = new Set(proofs.map(({ accountId }) => accountId).filter((id) => !ends.has(id)))
      for (const [id, end] of await loadEnds(queries, [...unknown])) remember(id, end)
      const rows = proofs.map(seal)
      for (const id of ends.keys()) {
        if (ends.size <= REMEMBERED) break
        ends.delete(id)
      }
      return rows
    },
    forget: () => ends.clear(),
  }
}

/**
 * Two looks into an index for each account. A join, of a table that has just grown and whose size the database does not know yet, would go
 * through all of it each time.
 */
async function loadEnds(queries: Queries, accountIds: readonly number[]): Promise<Map<number, ChainEnd>> {
  const found = new Map<number, ChainEnd>()
  for (let start = 0; start < accountIds.length; start += LOAD_CHUNK) {
    const asked = padded(accountIds.slice(start, start + LOAD_CHUNK).map(BigInt))
    const rows = await queries
      .selectFrom('account')
      .where('account.id', 'in', asked)
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

/** A power of two of them, the last repeated: each number makes a statement of its own, which a line keeps prepared. */
function padded(ids: readonly bigint[]): bigint[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? 0n)
}
