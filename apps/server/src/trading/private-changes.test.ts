import { DEPLOYMENT, money, type Event, type LedgerAccountId, type Posting } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { privateChanges } from './private-changes.ts'

const event = (told: Record<string, unknown>) => ({ accountId: 3, ...told }) as unknown as Event

const committed = (
  events: readonly Event[],
  postings: readonly Posting[] = [],
  trailed: Parameters<typeof privateChanges>[0]['trailed'] = [],
) => ({ entry: { at: 50, author: DEPLOYMENT, request: null, events }, postings, trailed })

const posting = (debit: LedgerAccountId, credit: LedgerAccountId) =>
  ({ debit, credit, amount: money(1n), kind: 'fee' }) as Posting

const changeOf3 = (...told: Parameters<typeof committed>) =>
  privateChanges(committed(...told), (userId) => userId === 3).get(3)

describe('what a commit changes for a user', () => {
  it('names every order once, whatever became of it', () => {
    const change = changeOf3([
      event({ type: 'orderPlaced', orderId: 1 }),
      event({ type: 'positionOpened', orderId: 2 }),
      event({ type: 'stopsSet', orderId: 2 }),
      event({ type: 'swapBooked', orderId: 4 }),
      event({ type: 'orderCancelled', orderId: 5, reason: 'cancelledByUser' }),
    ])
    expect(change?.orderIds).toEqual([1, 2, 4, 5])
    expect(change).toMatchObject({ at: 50, closedIds: [], notices: [] })
  })

  it('names the position and the part that was closed of it', () => {
    const change = changeOf3([event({ type: 'positionReduced', orderId: 2, partId: 9, reason: 'user' })])
    expect(change?.orderIds).toEqual([2, 9])
    expect(change?.closedIds).toEqual([])
  })

  it('names positions that have ended apart, whatever the reason', () => {
    const change = changeOf3([
      event({ type: 'positionClosed', orderId: 2, reason: 'takeProfit' }),
      event({ type: 'positionClosed', orderId: 3, reason: 'demoReset' }),
    ])
    expect(change?.closedIds).toEqual([2, 3])
  })

  it('names stops that followed the price', () => {
    const trailed = [{ orderId: 7, accountId: 3, stopLoss: 1 }] as unknown as Parameters<typeof committed>[2]
    expect(changeOf3([event({ type: 'trailingMoved', instrumentId: 1 })], [], trailed)?.orderIds).toEqual([7])
  })

  it('has what was booked to the user, and from', () => {
    const ours = [posting('available:3', 'house:demo:fees'), posting('house:demo:trading', 'available:3')]
    const change = changeOf3([], [...ours, posting('available:4', 'house:demo:fees')])
    expect(change?.postings).toEqual(ours)
  })

  it('says in words why a pending order ended by itself, not why one was cancelled', () => {
    const end = (orderId: number, reason: string) => event({ type: 'orderCancelled', orderId, reason })
    const change = changeOf3([
      end(1, 'expired'),
      end(2, 'notEnoughAtTrigger'),
      end(3, 'withdrawnByOperator'),
      end(4, 'cancelledByUser'),
      end(5, 'demoReset'),
    ])
    expect(change?.notices).toEqual([
      { kind: 'orderExpired', orderId: 1 },
      { kind: 'orderNotFilled', orderId: 2 },
      { kind: 'orderWithdrawn', orderId: 3 },
    ])
  })

  it('tells a stop-out once, with all that it ended', () => {
    const change = changeOf3([
      event({ type: 'orderCancelled', orderId: 1, reason: 'stopOut' }),
      event({ type: 'positionClosed', orderId: 2, reason: 'stopOut' }),
      event({ type: 'positionClosed', orderId: 3, reason: 'stopOut' }),
    ])
    expect(change?.notices).toEqual([{ kind: 'stopOut', closed: 2, cancelled: 1 }])
  })

  it('is nothing for users who are not told', () => {
    const others = committed([event({ type: 'orderPlaced', orderId: 1, accountId: 4 })])
    expect([...privateChanges(others, (userId) => userId === 3)]).toEqual([])
  })
})
