import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import type { DeskOperator } from '../operators/operators.ts'
import type { Assignee } from './case-assignments.ts'
import {
  createWaitingList,
  type WaitingFilter,
  type WaitingItem,
  type WaitingSource,
} from './waiting-list.ts'

const HOUR_MS = 3_600_000
const NOW = 1_000 * HOUR_MS
const ANY: WaitingFilter = { kind: null, held: null, search: null, before: null, page: 1 }
const ADA: DeskOperator = { id: 7, name: 'ada', role: 'finance' }
const BEA: DeskOperator = { id: 8, name: 'bea', role: 'finance' }

const caseOf = (change: Partial<WaitingItem>): WaitingItem => ({
  id: 1,
  kind: 'deposit',
  kindName: 'Deposits',
  title: 'Deposit',
  summary: 'by wire',
  accountId: null,
  amount: null,
  since: NOW,
  requestedBy: null,
  needsSecond: false,
  decidePermission: 'decideApproval',
  signs: [],
  ...change,
})

const sourceOf = (
  name: string,
  items: readonly WaitingItem[] | Refusal,
  count: number | Refusal = isRefusal(items) ? items : items.length,
): WaitingSource => ({
  name,
  list: async () => items,
  count: async () => count,
  find: async (id) => (isRefusal(items) ? items : (items.find((item) => item.id === id) ?? null)),
  contents: async () => refuse('caseNotFound'),
})

const heldBy = (operator: DeskOperator): Assignee => ({ ...operator, since: NOW })

function listOf(sources: readonly WaitingSource[], held: ReadonlyMap<string, Assignee> = new Map()) {
  const assignments = { all: async () => held, find: async (caseKey: string) => held.get(caseKey) ?? null }
  const list = createWaitingList({ assignments, now: () => NOW })
  for (const source of sources) list.register(source)
  return list
}

async function shownBy(
  items: readonly WaitingItem[],
  filter: Partial<WaitingFilter> = {},
  held?: ReadonlyMap<string, Assignee>,
  limit?: number,
) {
  const page = await listOf([sourceOf('deposit', items)], held).list(ADA, { ...ANY, ...filter }, limit)
  if (isRefusal(page)) throw new Error(page.rejected)
  return page
}
const keysOf = ({ cases }: Awaited<ReturnType<typeof shownBy>>) => cases.map(({ caseKey }) => caseKey)

describe('the order', () => {
  test('is by risk, then by age, then by key', async () => {
    const page = await shownBy([
      caseOf({ id: 1, since: NOW - 2 }),
      caseOf({ id: 3, since: NOW - 9 }),
      caseOf({ id: 2, since: NOW - 9 }),
      caseOf({ id: 4, signs: [{ weight: 1, why: 'new user' }] }),
      caseOf({ id: 5, signs: [{ weight: 2, why: 'large' }] }),
    ])
    expect(keysOf(page)).toEqual(['deposit:5', 'deposit:4', 'deposit:2', 'deposit:3', 'deposit:1'])
  })

  test('is cut into pages, with the number of all', async () => {
    const items = [1, 2, 3, 4, 5].map((id) => caseOf({ id, since: NOW - 10 + id }))
    expect(keysOf(await shownBy(items, { page: 1 }, undefined, 2))).toEqual(['deposit:1', 'deposit:2'])
    expect(keysOf(await shownBy(items, { page: 2 }, undefined, 2))).toEqual(['deposit:3', 'deposit:4'])
    const last = await shownBy(items, { page: 3 }, undefined, 2)
    expect(keysOf(last)).toEqual(['deposit:5'])
    expect(last).toMatchObject({ total: 5, all: 5, kinds: [{ kind: 'deposit', name: 'Deposits', count: 5 }] })
  })

  test('goes on after its last case, also when cases before it were decided meanwhile', async () => {
    const items = [1, 2, 3, 4, 5].map((id) => caseOf({ id, since: NOW - 10 + id }))
    const first = await shownBy(items, {}, undefined, 2)
    const left = items.filter(({ id }) => id !== 1 && id !== 2)
    const second = await shownBy(left, { before: first.next }, undefined, 2)
    expect(keysOf(second)).toEqual(['deposit:3', 'deposit:4'])
    const third = await shownBy(left, { before: second.next }, undefined, 2)
    expect([keysOf(third), third.next]).toEqual([['deposit:5'], null])
  })

  test('is refused after a place that no answer has named', async () => {
    const page = await listOf([]).list(ADA, { ...ANY, before: 'deposit:1' })
    expect(page).toMatchObject({ rejected: 'notUnderstood', details: { field: 'before' } })
  })
})

describe('the risk', () => {
  const riskOf = async (change: Partial<WaitingItem>) => {
    const [shown] = (await shownBy([caseOf(change)])).cases
    return [shown?.risk, shown?.riskReasons]
  }

  test.each([
    ['nothing', {}, 'usual', []],
    ['a light sign', { signs: [{ weight: 1, why: 'new user' }] }, 'raised', ['new user']],
    [
      'two signs of 3 together, the heavier first',
      {
        signs: [
          { weight: 1, why: 'new user' },
          { weight: 2, why: 'large' },
        ],
      },
      'high',
      ['large', 'new user'],
    ],
    ['four hours exactly', { since: NOW - 4 * HOUR_MS }, 'usual', []],
    [
      'more than four hours',
      { since: NOW - 4 * HOUR_MS - 1 },
      'raised',
      ['waiting for more than four hours'],
    ],
    ['a day exactly', { since: NOW - 24 * HOUR_MS }, 'raised', ['waiting for more than four hours']],
    ['more than a day', { since: NOW - 24 * HOUR_MS - 1 }, 'raised', ['waiting for more than a day']],
    [
      'a light sign and more than a day',
      { since: NOW - 25 * HOUR_MS, signs: [{ weight: 1, why: 'new user' }] },
      'high',
      ['waiting for more than a day', 'new user'],
    ],
  ] as const)('of %s', async (_what, change, risk, reasons) => {
    expect(await riskOf(change)).toEqual([risk, reasons])
  })
})

describe('the filters', () => {
  const items = [
    caseOf({ id: 1, accountId: 42, amount: money(1_500_000n), requestedBy: { id: 9, name: 'Cleo' } }),
    caseOf({ id: 2, kind: 'halt', kindName: 'Halts', title: 'Stop trading', summary: 'EUR/USD' }),
    caseOf({ id: 3 }),
  ]
  const held = new Map([
    ['deposit:1', heldBy(ADA)],
    ['deposit:2', heldBy(BEA)],
  ])

  test.each([
    [{}, ['deposit:1', 'deposit:2', 'deposit:3']],
    [{ kind: 'halt' }, ['deposit:2']],
    [{ held: 'mine' }, ['deposit:1']],
    [{ held: 'nobody' }, ['deposit:3']],
    [{ search: ' Stop TRADING ' }, ['deposit:2']],
    [{ search: 'eur/usd' }, ['deposit:2']],
    [{ search: 'deposit:3' }, ['deposit:3']],
    [{ search: 'cleo' }, ['deposit:1']],
    [{ search: 'bea' }, ['deposit:2']],
    [{ search: '100042' }, ['deposit:1']],
    [{ search: '42' }, ['deposit:1']],
    [{ search: '1.5' }, ['deposit:1']],
    // Empty fields of a case are not searched as text.
    [{ search: 'null' }, []],
    [{ search: 'undefined' }, []],
    // The search does not match across two fields.
    [{ search: 'trading eur' }, []],
    [{ kind: 'deposit', held: 'nobody', search: 'wire' }, ['deposit:3']],
  ] as const)('%o', async (filter, keys) => {
    expect(keysOf(await shownBy(items, filter, held)).toSorted()).toEqual(keys)
  })

  test('count the cases of each filter, whichever is selected', async () => {
    const page = await shownBy(items, { kind: 'halt' }, held)
    expect(page).toMatchObject({ total: 1, all: 3 })
    expect(page.kinds).toEqual([
      { kind: 'deposit', name: 'Deposits', count: 2 },
      { kind: 'halt', name: 'Halts', count: 1 },
    ])
  })
})

describe('of several sources', () => {
  const down = refuse('engineUnavailable')

  test('all cases are listed and counted', async () => {
    const list = listOf([
      sourceOf('deposit', [caseOf({ id: 1 })], 2_500),
      sourceOf('halt', [caseOf({ id: 1, kind: 'halt' })]),
    ])
    expect(await list.list(ADA, ANY)).toMatchObject({
      cases: [{ caseKey: 'deposit:1' }, { caseKey: 'halt:1' }],
      total: 2,
      all: 2_501,
    })
  })

  test('one that cannot be read refuses the list, so that nobody takes it for complete', async () => {
    expect(await listOf([sourceOf('deposit', down, 1)]).list(ADA, ANY)).toEqual(down)
    expect(await listOf([sourceOf('deposit', [], down)]).list(ADA, ANY)).toEqual(down)
  })
})

describe('a case', () => {
  const list = listOf([
    sourceOf('deposit', [caseOf({ id: 12 })]),
    sourceOf('halt', refuse('engineUnavailable')),
  ])

  test('is found by its key', async () => {
    expect(await list.find('deposit:12')).toMatchObject({ caseKey: 'deposit:12', item: { id: 12 } })
  })

  test.each([
    ['deposit:13', 'caseEnded'],
    ['unknown:12', 'caseNotFound'],
    ['deposit', 'caseNotFound'],
    ['', 'caseNotFound'],
    ['deposit:', 'caseNotFound'],
    ['deposit:x12', 'caseNotFound'],
    ['deposit:12x', 'caseNotFound'],
    ['deposit:-12', 'caseNotFound'],
    ['deposit:1234567890123456', 'caseNotFound'],
    ['halt:1', 'engineUnavailable'],
  ])('of the key "%s" is refused with %s', async (caseKey, rejected) => {
    expect(await list.find(caseKey)).toMatchObject({ rejected })
  })
})
