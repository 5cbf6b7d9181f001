import { expect, it } from 'vitest'
import { openLife } from '../testing/journal-life.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { readRequestEntry } from './repeats.ts'

const named = (accountId: number, id: string) => ({ accountId, call: 'deposit', id, digest: 'd' })

onEveryDatabase('a request that was sent before', ({ open }) => {
  it('finds what it did in the row that it went into, among others', async () => {
    const database = await open()
    const life = await openLife(database)
    const { at } = life.clock
    const deposit = (id: string) =>
      ({ type: 'openDeposit', at, accountId: 1, amount: 5n as never, request: named(1, id) }) as const
    await life.give({ type: 'openAccount', at, ledger: 'real' }, deposit('a'), deposit('b'))
    const row = life.state().requests.get('1 deposit b')?.row ?? -1
    expect(row).toBe(2)
    expect(await readRequestEntry(database.queries, row, named(1, 'b'))).toMatchObject({
      at,
      request: named(1, 'b'),
      events: [{ type: 'depositOpened', caseId: 2, amount: 5n }],
    })
    expect(await readRequestEntry(database.queries, row, named(1, 'c'))).toBeNull()
    expect(await readRequestEntry(database.queries, 7, named(1, 'b'))).toBeNull()
  })
})
