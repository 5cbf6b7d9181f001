/** Works a receipt's hash out again and compares its text with what the screen shows. */
import type { OrderView, Receipt, SealedReceipt } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'

/** What of a receipt on the screen can differ from its text. */
export type CheckedPart =
  'place' | 'order' | 'time' | 'decision' | 'prices' | 'tick' | 'conversion' | 'outcome' | 'text'

export type Verdict =
  /** Text, hash and the figures on the screen agree. */
  | { readonly is: 'genuine' }
  /** The server has no receipt with the hash on the screen. */
  | { readonly is: 'missing' }
  | { readonly is: 'otherHash'; readonly computed: string }
  | { readonly is: 'otherFigures'; readonly parts: readonly CheckedPart[] }
  /** The browser keeps its SHA-256 to pages loaded over https, or from the same machine. */
  | { readonly is: 'cannotHash' }

/** Price decimals of an instrument; undefined where it is not known. */
export type DecimalsOf = (instrumentId: number) => number | undefined

type Hasher = Pick<SubtleCrypto, 'digest'>

/** The text that a receipt's hash is the SHA-256 of. */
export const hashedText = ({ previousHash, body }: SealedReceipt): string => previousHash + body

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export async function sha256(text: string, hasher: Hasher): Promise<string> {
  const digest = await hasher.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Only pages from https or from the same machine have it. */
export const browserHasher = (): Hasher | null =>
  // Typed as always there; over plain http it is not.
  (globalThis.crypto as { subtle?: Hasher }).subtle ?? null

/** The sealed receipt that a receipt on the screen names by its hash. */
export const sealedOf = (receipt: Receipt, all: readonly SealedReceipt[]): SealedReceipt | null =>
  all.find(({ hash }) => hash === receipt.hash) ?? null

type Shown = { readonly order: OrderView; readonly receipt: Receipt }

/** Says whether a receipt is what it claims to be. A wrong hash weighs more than wrong figures. */
export async function checkReceipt(
  shown: Shown,
  sealed: SealedReceipt | null,
  tools: { readonly hasher: Hasher | null; readonly decimalsOf: DecimalsOf },
): Promise<Verdict> {
  if (!sealed) return { is: 'missing' }
  const computed = tools.hasher && (await sha256(hashedText(sealed), tools.hasher))
  if (computed !== null && computed !== sealed.hash) return { is: 'otherHash', computed }
  const parts = differences(shown, sealed, tools.decimalsOf)
  if (parts.length > 0) return { is: 'otherFigures', parts }
  return computed === null ? { is: 'cannotHash' } : { is: 'genuine' }
}

/** What the screen says otherwise than the receipt's text. */
function differences(
  { order, receipt }: Shown,
  sealed: SealedReceipt,
  decimalsOf: DecimalsOf,
): CheckedPart[] {
  const body = readBody(sealed.body)
  if (!body) return ['text']
  const { event } = body
  const told = asRecord(event['receipt'])
  const { action, trigger, ruleVersion, terms, delayMs, quoteSide } = receipt
  const ticks = (value: Receipt['filledPrice']) =>
    value === null ? null : toTicks(value, order.instrument.priceDecimals)
  const tick = (shown: NonNullable<Receipt['tick']>) => tickIn(shown, decimalsOf)
  const pairs: [CheckedPart, shown: unknown, told: unknown][] = [
    ['place', [receipt.hash, receipt.previousHash], [sealed.hash, sealed.previousHash]],
    ['place', sealed.number, body.number],
    ['order', [order.id, order.accountId], [orderOf(event), event['accountId']]],
    ['time', receipt.at, body.at],
    [
      'decision',
      { action, trigger, ruleVersion, terms, delayMs },
      // Texts from before terms were numbered do not name them.
      { terms: 0, ...pick(told, ['action', 'trigger', 'ruleVersion', 'terms', 'delayMs']) },
    ],
    ['prices', quoteSide, told['quoteSide']],
    ['prices', ticks(receipt.requestedPrice), told['requestedPrice']],
    ['prices', ticks(receipt.filledPrice), told['filledPrice']],
    ['prices', ticks(receipt.slippage), told['slippage']],
    ['tick', receipt.tick && tick(receipt.tick), told['tick']],
    ['conversion', receipt.conversion.map(tick), told['conversion']],
    ...outcome(order, event).map(
      ([shown, told]) => ['outcome', shown, told] as [CheckedPart, unknown, unknown],
    ),
  ]
  return [...new Set(pairs.filter(([, shown, told]) => !isSame(shown, told)).map(([part]) => part))]
}

type JsonObject = Readonly<Record<string, unknown>>

const asRecord = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const pick = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

function readBody(text: string): { number: unknown; at: unknown; event: JsonObject } | null {
  try {
    const { number, at, event } = asRecord(JSON.parse(text))
    return { number, at, event: asRecord(event) }
  } catch {
    return null
  }
}

/** A closed part is an order of its own. */
const orderOf = (event: JsonObject): unknown =>
  event['type'] === 'positionReduced' ? event['partId'] : event['orderId']

function tickIn(tick: NonNullable<Receipt['tick']>, decimalsOf: DecimalsOf): JsonObject {
  const decimals = decimalsOf(tick.instrumentId)
  const ticks = (value: typeof tick.bid) => (decimals === undefined ? value : toTicks(value, decimals))
  const { markUp: shownMarkUp, ...rest } = tick
  const markUp = ticks(shownMarkUp)
  // Texts name a mark-up only where there is one.
  return { ...rest, bid: ticks(tick.bid), ask: ticks(tick.ask), ...(Number(markUp) !== 0 && { markUp }) }
}

/** What the order shows of the event's own result. A size may have shrunk since the opening, so that is not compared. */
function outcome(order: OrderView, event: JsonObject): [shown: unknown, told: unknown][] {
  const ticks = (value: OrderView['openPrice']) =>
    value === null ? null : toTicks(value, order.instrument.priceDecimals)
  const closing: [unknown, unknown][] = [
    [ticks(order.currentPrice), event['closePrice']],
    [String(order.profit), event['profit']],
    [order.endReason, event['reason']],
  ]
  switch (event['type']) {
    case 'positionOpened':
      return [
        [order.side, event['side']],
        [order.leverage, event['leverage']],
        [order.instrument.id, event['instrumentId']],
        [ticks(order.openPrice), event['openPrice']],
        [String(order.fee), event['fee']],
      ]
    case 'orderPlaced':
      return [
        [order.side, event['side']],
        [order.instrument.id, event['instrumentId']],
        [ticks(order.acceptedPrice), event['acceptedPrice']],
      ]
    case 'positionReduced':
      return [...closing, [order.lots, event['lots']], [order.parentId, event['orderId']]]
    case 'positionClosed':
      return closing
    case 'orderCancelled':
      return [[order.endReason, event['reason']]]
    default:
      return []
  }
}

/** Whether two plain values say the same; the order of fields does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    names.length === others.length &&
    names.every((name) => name in other && isSame((one as JsonObject)[name], (other as JsonObject)[name]))
  )
}
