import {
  admitPrice,
  decideApproval,
  getWaitingCase,
  listFeeds,
  listHeldPrices,
  listRefusedPrices,
  listWaiting,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { movablePace } from '../../testing/accounts.ts'
import { verify } from '../../verify/verify.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { endSingleOperatorMode } from '../../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const EURUSD = 1

describe.each(DATABASES)('feeds at the desk, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace })
  let dealing: AtDesk
  const send = (price: object) => server().source.send(JSON.stringify({ symbol: 'EURUSD', ...price }))
  /** Prices are processed in order: once this one is published, those before it have been checked. */
  const processed = () => server().price('USDJPY', [150, 150.008])
  const bid = () => server().deployment.market.quoteOf(EURUSD)?.bid
  const held = async () => (await dealing.request(listHeldPrices, null)).prices

  beforeAll(async () => {
    dealing = await atDesk(server(), 'dealing')
    await endSingleOperatorMode(server())
    await server().price('EURUSD', [1.1, 1.10006])
  })

  test('show age, rate and spread of each price, and the refused ticks', async () => {
    pass(2_000)
    await send({ bid: 1.1001, ask: 1.1 })
    await processed()
    const { sources, instruments } = await dealing.request(listFeeds, null)
    expect(sources).toMatchObject([{ kind: 'live', instruments: 2 }])
    expect(instruments.find(({ code }) => code === 'EURUSD')).toMatchObject({
      kind: 'live',
      bid: 1.1,
      ask: 1.10006,
      spread: 0.00006,
      perMinute: 1,
      refused: [{ reason: 'crossed', count: 1 }],
    })
    const eurusd = instruments.find(({ code }) => code === 'EURUSD')
    expect(eurusd?.ageMs).toBeGreaterThanOrEqual(2_000)
    expect(instruments.find(({ code }) => code === 'GBPUSD')).toMatchObject({ bid: null, ageMs: null })
  })

  test('keep refused prices in the database, as the source sent them', async () => {
    await send({ bid: '0x1', ask: 1.1 })
    await processed()
    const written = async () =>
      (await dealing.request(listRefusedPrices, { page: 1, instrumentId: EURUSD })).prices.map(
        ({ bid, reason }) => `${bid} ${reason}`,
      )
    await expect.poll(written, { timeout: 10_000 }).toEqual(['0x1 notANumber', '1.1001 crossed'])
    expect(await dealing.request(listRefusedPrices, { page: 1, instrumentId: 2 })).toEqual({
      prices: [],
      total: 0,
    })
  })

  test('admit a held price once, by two operators, and never one that was not sent', async () => {
    await send({ bid: 40, ask: 40.001 })
    await processed()
    expect(bid()).toBe(110_000)
    const [waiting] = await held()
    expect(waiting).toMatchObject({
      code: 'EURUSD',
      bid: 40,
      ask: 40.001,
      reason: 'outOfBounds',
      isFresh: true,
      lastMid: 1.10003,
    })
    const { cases } = await dealing.request(listWaiting, {
      kind: 'price',
      held: null,
      search: null,
      before: null,
      page: 1,
    })
    expect(cases).toMatchObject([{ title: 'EURUSD price', risk: 'high', needsSecond: true }])
    const { noWords, steps } = await dealing.request(getWaitingCase, { caseKey: cases[0]?.caseKey ?? '' })
    expect(noWords).toContain('reference admitted by operators')
    expect(steps.at(-1)?.title).toBe('A second operator approves or rejects it')
    const admission = {
      instrumentId: EURUSD,
      number: waiting?.number ?? 0,
      reason: 'the bank has confirmed it',
    }
    expect(await dealing.refusalOf(admitPrice, { ...admission, number: admission.number + 1 })).toBe(
      'priceGone',
    )
    expect(await dealing.refusalOf(admitPrice, { ...admission, reason: '' })).toBe('reasonMissing')
    const { approvalId: id } = await dealing.request(admitPrice, admission)
    const decision = { id, isApproved: true, reason: 'seen at the bank' }
    expect(await dealing.refusalOf(decideApproval, decision)).toBe('roleRefused')
    expect((await held()).length).toBe(1)
    const compliance = await atDesk(server(), 'compliance')
    expect(await compliance.refusalOf(decideApproval, decision)).toBeNull()
    // It becomes the reference for other prices, but is not published itself.
    expect(bid()).toBe(110_000)
    expect(await dealing.refusalOf(admitPrice, admission)).toBe('priceGone')
    const { queries } = server().deployment.database
    const act = await queries
      .selectFrom('desk_act')
      .selectAll()
      .where('outcome', '=', 'done')
      .where('journal_at', 'is not', null)
      .where('act', '=', 'admitTick')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(act).toMatchObject({ act: 'admitTick', reason: admission.reason, subject: 'instrument:EURUSD' })
    expect(JSON.parse(act?.after ?? '')).toMatchObject({ number: admission.number, bid: 40 })
  })

  test('accept prices near an admitted reference until the market confirms them, and return to true prices by themselves', async () => {
    const quote = () => server().deployment.engine.state().quotes.get(EURUSD)
    await send({ bid: 40.1, ask: 40.101 })
    await expect.poll(() => quote()?.bid).toBe(4_010_000)
    expect(quote()).toMatchObject({ admitted: true })
    expect(server().deployment.engine.state().admitted.has(EURUSD)).toBe(true)
    await send({ bid: 1.1, ask: 1.10006 })
    await processed()
    pass(1_000)
    await send({ bid: 1.1, ask: 1.10006 })
    await expect.poll(() => quote()?.bid).toBe(110_000)
    expect(quote()).not.toHaveProperty('admitted')
    await expect.poll(() => server().deployment.engine.state().admitted.size).toBe(0)
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})
