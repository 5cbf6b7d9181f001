import { beforeEach, expect, test } from 'vitest'
import type { InstrumentListing } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { eurusd } from '../testing/market-samples.ts'
import { useConnection } from './connection/connection-state.ts'
import { setToken } from './device/token.ts'
import { quoteOf, receiveListing, staleSeconds } from './market/quotes.ts'
import { queryClient } from './requests/query-client.ts'
import { keepSeen, showSeen } from './seen.ts'

const SEEN_AT = 1_800_000_000_000

const connected = { state: 'open', isOffline: false, lostAt: null } as const

function see(balance: bigint): void {
  queryClient.setQueryData(['instruments'], [eurusd()])
  queryClient.setQueryData(['figures'], { balance: money(balance) })
  keepSeen(SEEN_AT)
  queryClient.clear()
}

beforeEach(() => {
  queryClient.clear()
  useConnection.setState(connected)
  setToken('a session')
})

test('a start from the device shows what was seen last, as data of a lost connection', () => {
  see(12_345n)
  showSeen()
  const [row] = queryClient.getQueryData<readonly InstrumentListing[]>(['instruments']) ?? []
  expect(row?.code).toBe('EURUSD')
  expect(queryClient.getQueryData(['figures'])).toEqual({ balance: 12_345n })
  expect(useConnection.getState()).toMatchObject({ isOffline: true, lostAt: SEEN_AT })
  // It counts as old, so the first screen fetches it again.
  expect(queryClient.getQueryState(['figures'])?.dataUpdatedAt).toBe(0)
})

test('the prices count as old, also when the clock of the device was set back since', () => {
  see(1n)
  showSeen()
  const quote = quoteOf(eurusd().id)
  const listing = { isOpen: true, freshnessMs: 5_000 }
  for (const now of [SEEN_AT + 3_600_000, SEEN_AT - 3_600_000])
    expect(staleSeconds(listing, quote, now)).toBe(3_600)
})

test('a price keeps the age that it had when it was stored', () => {
  const listing = eurusd({ id: 2, quoteAgeMs: 0 })
  receiveListing(listing, SEEN_AT - 12_000)
  queryClient.setQueryData(['instruments'], [listing])
  keepSeen(SEEN_AT)
  queryClient.clear()
  showSeen()
  const [row] = queryClient.getQueryData<readonly InstrumentListing[]>(['instruments']) ?? []
  expect(row?.quoteAgeMs).toBe(12_000)
})

test('data of a user is neither stored nor shown without a session', () => {
  see(1n)
  setToken(null)
  showSeen()
  expect(queryClient.getQueryData(['figures'])).toBeUndefined()
  expect(queryClient.getQueryData(['instruments'])).toHaveLength(1)
  see(2n)
  setToken('another session')
  showSeen()
  expect(queryClient.getQueryData(['figures'])).toBeUndefined()
})

test('a visit that never reached the server keeps what an earlier one has stored', () => {
  see(7n)
  useConnection.setState({ state: 'waiting', isOffline: true, lostAt: null })
  queryClient.setQueryData(['figures'], { balance: 9n })
  keepSeen(SEEN_AT + 1)
  queryClient.clear()
  showSeen()
  expect(queryClient.getQueryData(['figures'])).toEqual({ balance: 7n })
})
