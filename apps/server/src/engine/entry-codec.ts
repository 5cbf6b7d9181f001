import type { Entry, Event, Transfer } from '@fairlot/core'

/** Fields of events and transfers that hold money; they travel as decimal text, which JSON numbers could not carry. */
const MONEY_FIELDS = new Set(['margin', 'fee', 'profit', 'amount'])

const writeTransfer = (transfer: Transfer) => ({ ...transfer, amount: String(transfer.amount) })

/** Copies by hand: a replacer function would visit every field and cost ten times as much. */
function writeEvent(event: Event): object {
  switch (event.type) {
    case 'orderPlaced':
      return { ...event, margin: String(event.margin), fee: String(event.fee) }
    case 'positionOpened':
      return {
        ...event,
        margin: String(event.margin),
        fee: String(event.fee),
        transfers: event.transfers.map(writeTransfer),
      }
    case 'positionClosed':
      return { ...event, profit: String(event.profit), transfers: event.transfers.map(writeTransfer) }
    case 'accountOpened':
    case 'moneyMoved':
      return { ...event, transfers: event.transfers.map(writeTransfer) }
    case 'orderCancelled':
    case 'stopsSet':
      return event
  }
}

const readMoney = (key: string, value: unknown): unknown =>
  MONEY_FIELDS.has(key) && typeof value === 'string' ? BigInt(value) : value

/** Events as JSON text. */
export const encodeEvents = (events: readonly Event[]): string => JSON.stringify(events.map(writeEvent))

export const decodeEvents = (text: string): Event[] => JSON.parse(text, readMoney) as Event[]

/** Journal entries as JSON text. */
export const encodeEntries = (entries: readonly Entry[]): string =>
  JSON.stringify(entries.map((entry) => ({ ...entry, events: entry.events.map(writeEvent) })))

export const decodeEntries = (text: string): Entry[] => JSON.parse(text, readMoney) as Entry[]
