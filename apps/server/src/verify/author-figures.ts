/** Who may have caused an event, and whether the entry says so (trading-rules §11). */
import type { Author, Entry, Event } from '@fairlot/core'
import type { Figure } from './figure.ts'

type Kind = Author['type']

const DUE: readonly Kind[] = ['clock', 'market']
const DECREED: readonly Kind[] = ['operator']

/** Who may cause an event; what ends an order depends on the reason. */
function allowed(event: Event): readonly Kind[] {
  switch (event.type) {
    case 'accountOpened':
    case 'orderPlaced':
    case 'positionReduced':
    case 'stopsSet':
    case 'demoReset':
    case 'depositOpened':
    case 'withdrawalHeld':
    case 'accountClosed':
      return ['user']
    case 'positionOpened':
      return event.kind === 'market' ? ['user'] : ['market']
    case 'positionClosed':
      return closedBy(event.reason)
    case 'orderCancelled':
      return cancelledBy(event.reason)
    case 'withdrawalEnded':
      return event.outcome === 'cancelled' ? ['user'] : DECREED
    case 'trailingMoved':
      return ['market']
    case 'swapBooked':
    case 'pricesMarked':
      return DUE
    case 'rolledOver':
    case 'termsTookEffect':
      return ['clock']
    case 'termsSet':
      return ['operator', 'deployment']
    case 'termsWithdrawn':
      // The clock takes back what cannot come any more.
      return ['operator', 'clock']
    default:
      return DECREED
  }
}

function closedBy(reason: string): readonly Kind[] {
  if (reason === 'operator') return DECREED
  return reason === 'user' || reason === 'demoReset' ? ['user'] : ['market']
}

function cancelledBy(reason: string): readonly Kind[] {
  if (reason === 'cancelledByUser' || reason === 'demoReset') return ['user']
  return reason === 'stopOut' || reason === 'notEnoughAtTrigger' ? ['market'] : DUE
}

/** The author of an entry may cause its events, and a user only those of their own account. */
export function authorFigures({ author, request }: Entry, event: Event): Figure[] {
  const isAllowed = allowed(event).includes(author.type)
  const figures: Figure[] = [['author', author.type, isAllowed ? author.type : allowed(event).join(' or ')]]
  if (author.type === 'user' && 'accountId' in event)
    figures.push(['account of the author', author.accountId, event.accountId])
  if (request) figures.push(['account of the request', request.accountId, ownerOf(author)])
  return figures
}

/** Whose requests an author's are: the account of a user, the number of an operator. */
function ownerOf(author: Author): number | null {
  if (author.type === 'operator') return author.id
  return author.type === 'user' ? author.accountId : null
}
