/** Recalculates a receipt's hash and compares its text with the figures on the screen. */
import type { OrderView, Receipt, SealedReceipt } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'

/** Parts of a receipt on the screen that can differ from its text. */
export type CheckedPart =
  | 'place'
  | 'order'
  | 'time'
  | 'decision'
  | 'prices'
  | 'tick'
  | 'conversion'
  | 'outcome'
  | 'text'

export type Verdict =
  /** Text, hash and the figures on the screen agree. */
  | { readonly is: 'genuine' }
  /** The server has no receipt with the hash on the screen. */
  | { readonly is: 'missing' }
  | { readonly is: 'otherHash'; readonly computed: string }
  | { readonly is: 'otherFigures'; readonly parts: readonly CheckedPart[] }
  /** Browsers offer SHA-256 only to pages loaded over https or from the same machine. */
  | { readonly is: 'cannotHash' }

/** Price decimals of an instrument; undefined when it is unknown. */
export type DecimalsOf = (instrumentId: number) => number | undefined

type Hasher = Pick<SubtleCrypto, 'digest'>

/** The text whose SHA-256 is the receipt's hash. */
export const hashedText = ({ previousHash, body }: SealedReceipt): string => previousHash + body

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export async function sha256(text: string, hasher: Hasher): Promise<string> {
  const digest = await hasher.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** SHA-256 of the browser; null for pages that were loaded over plain http from another machine. */
export const browserHasher = (): Hasher | null =>
  // The type claims that it always exists.
  (globalThis.crypto as { subtle?: Hasher }).subtle ?? null

/** The sealed receipt that a receipt on the screen names by its hash. */
export const sealedOf = (receipt: Receipt, all: readonly SealedReceipt[]): SealedReceipt | null =>
  all.find(({ hash }) => hash === receipt.hash) ?? null

type Shown = {
  readonly order: OrderView
  readonly receipt: Receipt
}

/** Checks the hash and the shown figures of a receipt. A wrong hash is reported before wrong figures. */
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

/** Parts in which the screen differs from the receipt's text. */
function differences(
  { order, receipt }: Shown,
  sealed: SealedReceipt,
  decimalsOf: DecimalsOf,
): CheckedPart[] {
  const body = readBody(sealed.body)
  if (!body) return ['text']
  const { event } = body
  const sealedReceipt = asRecord(event['receipt'])
  const { action, trigger, ruleVersion, terms, delayMs, quoteSide, ground } = receipt
  const ticks = (value: Receipt['filledPrice']) =>
    value === null ? null : toTicks(value, order.instrument.priceDecimals)
  const tick = (shown: NonNullable<Receipt['tick']>) => tickIn(shown, decimalsOf)
  const pairs: [CheckedPart, shown: unknown, recorded: unknown][] = [
    ['place', [receipt.hash, receipt.previousHash], [sealed.hash, sealed.previousHash]],
    ['place', sealed.number, body.number],
    ['order', order.id, orderOf(event)],
    ['order', order.accountId, event['accountId']],
    ['time', receipt.at, body.at],
    [
      'decision',
      // The text has a ground only when operators closed the position for one.
      { action, trigger, ruleVersion, terms, delayMs, ...(ground && { ground }) },
      // Texts from before terms had versions have none.
      {
        terms: 0,
        ...pick(sealedReceipt, ['action', 'trigger', 'ruleVersion', 'terms', 'delayMs', 'ground']),
      },
    ],
    ['prices', quoteSide, sealedReceipt['quoteSide']],
    ['prices', ticks(receipt.requestedPrice), sealedReceipt['requestedPrice']],
    ['prices', ticks(receipt.filledPrice), sealedReceipt['filledPrice']],
    ['prices', ticks(receipt.slippage), sealedReceipt['slippage']],
    ['tick', receipt.tick && tick(receipt.tick), sealedReceipt['tick']],
    ['conversion', receipt.conversion.map(tick), sealedReceipt['conversion']],
    ...outcome(order, event).map(
      ([shown, recorded]) => ['outcome', shown, recorded] as [CheckedPart, unknown, unknown],
    ),
  ]
  return [...new Set(pairs.filter(([, shown, recorded]) => !isSame(shown, recorded)).map(([part]) => part))]
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

/** The order that an event concerns; a closed part has a number of its own. */
const orderOf = (event: JsonObject): unknown =>
  event['type'] === 'positionReduced' ? event['partId'] : event['orderId']

function tickIn(tick: NonNullable<Receipt['tick']>, decimalsOf: DecimalsOf): JsonObject {
  const decimals = decimalsOf(tick.instrumentId)
  const ticks = (value: typeof tick.bid) => (decimals === undefined ? value : toTicks(value, decimals))
  const { markUp: shownMarkUp, admitted, ...rest } = tick
  const markUp = ticks(shownMarkUp)
  // The text has a mark-up, and an operator's admission, only where there is one.
  return {
    ...rest,
    bid: ticks(tick.bid),
    ask: ticks(tick.ask),
    ...(Number(markUp) !== 0 && { markUp }),
    ...(admitted === 'yes' && { admitted: true }),
  }
}

/** The shown result of an order beside that of its event. The size is not compared: parts may have been closed since. */
function outcome(order: OrderView, event: JsonObject): [shown: unknown, recorded: unknown][] {
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

/** Whether two JSON values are equal; the order of fields does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    names.length === others.length &&
    names.every((name) => name in other && isSame((one as JsonObject)[name], (other as JsonObject)[name]))
  )
}
