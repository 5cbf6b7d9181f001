import type { Entry, Event, Money, Transfer } from '@fairlot/core'

/** Fields of events and transfers that hold money; they travel as decimal text, which JSON numbers could not carry. */
const MONEY_FIELDS = new Set(['margin', 'fee', 'profit', 'amount'])

const writeTransfer = (transfer: Transfer) => ({ ...transfer, amount: String(transfer.amount) })

const writeCost = <Terms extends { margin: Money; fee: Money }>(terms: Terms) => ({
  ...terms,
  margin: String(terms.margin),
  fee: String(terms.fee),
})

/** Copies by hand: a replacer function would visit every field and cost ten times as much. */
function writeEvent(event: Event): object {
  switch (event.type) {
    case 'orderPlaced':
      return writeCost(event)
    case 'positionOpened':
      return { ...writeCost(event), transfers: event.transfers.map(writeTransfer) }
    case 'positionClosed':
      return { ...event, profit: String(event.profit), transfers: event.transfers.map(writeTransfer) }
    case 'positionReduced':
      return {
        ...event,
        margin: String(event.margin),
        profit: String(event.profit),
        position: writeCost(event.position),
        transfers: event.transfers.map(writeTransfer),
      }
    case 'swapBooked':
      return { ...event, amount: String(event.amount), transfers: event.transfers.map(writeTransfer) }
    case 'accountOpened':
    case 'moneyMoved':
      return { ...event, transfers: event.transfers.map(writeTransfer) }
    case 'orderCancelled':
    case 'stopsSet':
    case 'rolledOver':
    case 'instrumentHalted':
    case 'tradingModeSet':
      return event
  }
}

const readMoney = (key: string, value: unknown): unknown =>
  MONEY_FIELDS.has(key) && typeof value === 'string' ? BigInt(value) : value

/** One event as JSON text: its fields in the order in which it was made, so that the journal's copy reads the same. */
const encodeEvent = (event: Event): string => JSON.stringify(writeEvent(event))

/** An entry as JSON text, and the text of each of its events: what follows the journal need not write them again. */
export type EncodedEntry = { readonly text: string; readonly events: readonly string[] }

export function encodeEntry({ at, request, events }: Entry): EncodedEntry {
  const texts = events.map(encodeEvent)
  return {
    text: `{"at":${at},"request":${JSON.stringify(request)},"events":${listed(texts)}}`,
    events: texts,
  }
}

/** Texts of values as the text of a list of them. */
export const listed = (texts: readonly string[]): string => `[${texts.join(',')}]`

export const decodeEvents = (text: string): Event[] => JSON.parse(text, readMoney) as Event[]

/** JSON text with its money as bigints. */
export const decodeExactly = (text: string): unknown => JSON.parse(text, readMoney)

export const decodeEntries = (text: string): Entry[] => JSON.parse(text, readMoney) as Entry[]
