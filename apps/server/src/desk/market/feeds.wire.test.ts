import { admitPrice, listFeeds, listHeldPrices, listRefusedPrices, listWaiting } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const EURUSD = 1

describe.each(DATABASES)('feeds at the desk, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace })
  let dealing: AtDesk
  const send = (price: object) => server().source.say(JSON.stringify({ symbol: 'EURUSD', ...price }))
  /** Prices come in their order: once this one counts, those before it have been judged. */
  const judged = () => server().price('USDJPY', [150, 150.008])
  const bid = () => server().deployment.market.quoteOf(EURUSD)?.bid
  const held = async () => (await dealing.ask(listHeldPrices, null)).prices

  beforeAll(async () => {
    dealing = await atDesk(server(), 'dealing')
    await server().price('EURUSD', [1.1, 1.10006])
  })

  test('tell the age, the rate and the spread of each price, and what was refused', async () => {
    pass(2_000)
    await send({ bid: 1.1001, ask: 1.1 })
    await judged()
    const { sources, instruments } = await dealing.ask(listFeeds, null)
    expect(sources).toMatchObject([{ kind: 'live', instruments: 2 }])
    expect(instruments.find(({ code }) => code === 'EURUSD')).toMatchObject({
      ...{ kind: 'live', bid: 1.1, ask: 1.10006, spread: 0.00006, perMinute: 1 },
      refused: [{ reason: 'crossed', count: 1 }],
    })
    const eurusd = instruments.find(({ code }) => code === 'EURUSD')
    expect(eurusd?.ageMs).toBeGreaterThanOrEqual(2_000)
    expect(instruments.find(({ code }) => code === 'GBPUSD')).toMatchObject({ bid: null, ageMs: null })
  })

  test('refused prices are kept in the database, as the source wrote them', async () => {
    await send({ bid: '0x1', ask: 1.1 })
    await judged()
    const written = async () =>
      (await dealing.ask(listRefusedPrices, { page: 1, instrumentId: EURUSD })).prices.map(
        ({ bid, reason }) => `${bid} ${reason}`,
      )
    await expect.poll(written, { timeout: 10_000 }).toEqual(['0x1 notANumber', '1.1001 crossed'])
    expect(await dealing.ask(listRefusedPrices, { page: 1, instrumentId: 2 })).toEqual({
      prices: [],
      total: 0,
    })
  })

  test('a held price counts by an operator’s word, once, and never one that nobody has sent', async () => {
    await send({ bid: 40, ask: 40.001 })
    await judged()
    expect(bid()).toBe(110_000)
    const [waiting] = await held()
    expect(waiting).toMatchObject({
      ...{ code: 'EURUSD', bid: 40, ask: 40.001, reason: 'outOfBounds', isFresh: true, lastMid: 1.10003 },
    })
    const { cases } = await dealing.ask(listWaiting, { kind: 'price', held: null, search: null, page: 1 })
    expect(cases).toMatchObject([{ title: 'EURUSD price', risk: 'high' }])
    const word = { instrumentId: EURUSD, number: waiting?.number ?? 0, reason: 'the bank has confirmed it' }
    expect(await dealing.refusalOf(admitPrice, { ...word, number: word.number + 1 })).toBe('priceGone')
    expect(await dealing.refusalOf(admitPrice, { ...word, reason: '' })).toBe('reasonMissing')
    expect(bid()).toBe(110_000)
    expect(await dealing.ask(admitPrice, word)).toEqual({ became: 'accepted' })
    await expect.poll(bid).toBe(4_000_000)
    expect(await dealing.refusalOf(admitPrice, word)).toBe('priceGone')
    const { queries } = server().deployment.database
    const act = await queries
      .selectFrom('desk_act')
      .selectAll()
      .where('outcome', '=', 'done')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(act).toMatchObject({ act: 'admitTick', reason: word.reason, subject: 'instrument:EURUSD' })
    expect(JSON.parse(act?.after ?? '')).toMatchObject({ number: word.number, bid: 40 })
  })

  test('one that has grown old moves the measure: the next price near it counts', async () => {
    await send({ bid: 1.1, ask: 1.10006 })
    await judged()
    const [waiting] = await held()
    pass(61_000)
    const word = { instrumentId: EURUSD, number: waiting?.number ?? 0, reason: 'back again' }
    expect(await dealing.ask(admitPrice, word)).toEqual({ became: 'nextTick' })
    expect(bid()).toBe(4_000_000)
    await server().price('EURUSD', [1.1001, 1.10016])
    expect(await held()).toEqual([])
  })
})
