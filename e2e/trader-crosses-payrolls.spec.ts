import {
  listCandles,
  listInstruments,
  listLedgerRecords,
  listOrders,
  type OrderView,
} from '@fairlot/contract'
import type { Locator, Page } from '@playwright/test'
import { apiAs, type Api } from './support/api.ts'
import {
  choose,
  openOrder,
  notice,
  openTradeAsDemo,
  sideButton,
  tab,
  ticket,
  valueOf,
} from './support/app.ts'
import { divideHalfAway, figureOf, moneyIn, unitsIn } from './support/figures.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { RECORDING, recordedBar, recordedTicks, type RecordedTick } from './support/recording.ts'

/** The US payrolls of April 2014 were published in this minute. */
const PAYROLLS = Date.parse('2014-05-02T12:30:00Z')
const MINUTE_MS = 60_000
const START = PAYROLLS - 90_000
const SPEED = 5

/** The order: 0.37 lots of 100,000 units at a leverage of 30, for a fee of 0.001 of the margin. */
const LOTS = { text: '0.37', hundredths: 37n }
const UNITS_PER_LOT = 100_000n
const LEVERAGE = 30n
const PRICE_SCALE = 100_000n
const MONEY_SCALE = 1_000_000n

const ticks = recordedTicks(START, PAYROLLS + 5 * MINUTE_MS)

test.use({ timezoneId: 'UTC' })

test('a position held over the payrolls is booked as calculated by hand', async ({ page, start }) => {
  test.slow()
  const from = new Date(START).toISOString()
  const server = await start({ FEED: `replay:${RECORDING}@${SPEED}?from=${from}&loop=off` })
  await openTradeAsDemo(page, server)
  await expect(page.getByRole('main').getByText('Demo · recorded')).toBeVisible()
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill(LOTS.text)
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 0.37 EUR\/USD/)).toBeVisible()
  const api = await apiAs(page)
  await tab(page, 'Orders').click()
  await marketPasses(api, PAYROLLS)
  await closePosition(page)

  const order = await closedOrder(api)
  const [open, close] = [tickOf(order, 'open'), tickOf(order, 'close')]
  await test.step('the receipts name recorded ticks', () => {
    expect(open.time).toBeLessThan(PAYROLLS)
    expect(close.time).toBeGreaterThanOrEqual(PAYROLLS)
  })
  await test.step('margin, fee and profit are those of a hand calculation', () => {
    expect(order.originalMargin).toBe(handMargin(open))
    expect(order.fee).toBe(handFee(open))
    expect(order.profit).toBe(handProfit(open, close))
  })
  await test.step('the ledger contains them', () => expectBooked(api, open, close))
  await test.step('the screen shows them', () => expectOnScreen(page, open, close))
  await test.step('the minute bar is as published', () => expectBar(api))
})

/** Waits until the newest price is at or after a moment. */
async function marketPasses(api: Api, moment: number): Promise<void> {
  const marketTime = async () => (await api.request(listInstruments, { search: 'EURUSD' }))[0]?.quoteTime ?? 0
  await expect.poll(marketTime, { timeout: 40_000, intervals: [250] }).toBeGreaterThanOrEqual(moment)
}

async function closePosition(page: Page): Promise<void> {
  const opened = await openOrder(page, 'EUR/USD')
  await opened.getByRole('button', { name: /^Close [+−]/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Close [+−]/ })
    .click()
  await expect(notice(page, /^Closed at/)).toBeVisible()
  await expect(opened).toBeHidden()
}

async function closedOrder(api: Api): Promise<OrderView> {
  const { orders } = await api.request(listOrders, { list: 'history', page: 1, before: null, copyId: null })
  expect(orders).toHaveLength(1)
  const [order] = orders
  if (!order) throw new Error('the history is empty')
  return order
}

type NumberedTick = RecordedTick & { readonly seq: number }

/** The tick on the receipt must be the recorded tick with its number. */
function tickOf(order: OrderView, action: 'open' | 'close'): NumberedTick {
  const tick = order.receipts.find((receipt) => receipt.action === action)?.tick
  if (!tick) throw new Error(`the order has no receipt of its ${action}`)
  const receiptTick = { time: tick.time, bid: unitsIn(`${tick.bid}`, 5), ask: unitsIn(`${tick.ask}`, 5) }
  expect(receiptTick, `tick ${tick.seq} of the recording`).toEqual(ticks[tick.seq - 1])
  return { ...receiptTick, seq: tick.seq }
}

const handMargin = ({ ask }: RecordedTick): bigint =>
  divideHalfAway(LOTS.hundredths * UNITS_PER_LOT * ask * MONEY_SCALE, 100n * PRICE_SCALE * LEVERAGE)

const handFee = (open: RecordedTick): bigint => divideHalfAway(handMargin(open), 1000n)

const handProfit = (open: RecordedTick, close: RecordedTick): bigint =>
  divideHalfAway(LOTS.hundredths * UNITS_PER_LOT * (close.bid - open.ask) * MONEY_SCALE, 100n * PRICE_SCALE)

async function expectBooked(api: Api, open: RecordedTick, close: RecordedTick): Promise<void> {
  const { records } = await api.request(listLedgerRecords, { page: 1, before: null, group: null })
  const [fee, profit] = [handFee(open), handProfit(open, close)]
  const beginning = 100_000n * MONEY_SCALE
  expect(records.map(({ amount, balance }) => ({ amount, balance }))).toEqual([
    { amount: profit, balance: beginning - fee + profit },
    { amount: -fee, balance: beginning - fee },
    { amount: beginning, balance: beginning },
  ])
}

async function expectOnScreen(page: Page, open: NumberedTick, close: NumberedTick): Promise<void> {
  await choose(page, 'History')
  const opened = await openOrder(page, 'EUR/USD')
  await expect(valueOf(opened, 'Margin')).toHaveText(figureOf(handMargin(open), 6))
  await expect(valueOf(opened, 'Opening fee')).toHaveText(figureOf(handFee(open), 6))
  const profit = opened.getByText(/^[+−][\d,]+\.\d{6}$/)
  await expect.poll(async () => moneyIn((await profit.textContent()) ?? '')).toBe(handProfit(open, close))
  await expectReceipt(opened, 'Receipt: opened', open, open.ask)
  await expectReceipt(opened, 'Receipt: closed', close, close.bid)
}

async function expectReceipt(
  opened: Locator,
  name: string,
  { time, bid, ask, seq }: NumberedTick,
  filled: bigint,
): Promise<void> {
  const receipt = opened.locator('section').filter({ hasText: name })
  const clock = new Date(time).toISOString().slice(11, 23)
  await expect(valueOf(receipt, 'Tick')).toHaveText(`no. ${seq.toLocaleString('en')} · ${clock}`)
  await expect(valueOf(receipt, 'Bid / ask at that time')).toHaveText(`${price(bid)} / ${price(ask)}`)
  await expect(valueOf(receipt, 'Requested / filled')).toHaveText(new RegExp(`/ ${price(filled)}$`))
}

const price = (units: bigint): string => figureOf(units, 5)

/** Opening and closing mids are published; the highest and lowest follow from the ticks. */
async function expectBar(api: Api): Promise<void> {
  await marketPasses(api, PAYROLLS + MINUTE_MS)
  const [eurusd] = await api.request(listInstruments, { search: 'EURUSD' })
  const bars = await api.request(listCandles, {
    instrumentId: eurusd?.id ?? 0,
    period: '1min',
    before: PAYROLLS + MINUTE_MS,
    limit: 1,
  })
  const { bid, ask } = recordedBar(PAYROLLS)
  const minute = ticks.filter(({ time }) => time >= PAYROLLS && time < PAYROLLS + MINUTE_MS)
  const mids = minute.map((tick) => divideHalfAway(tick.bid + tick.ask, 2n)).sort((a, b) => Number(a - b))
  expect(
    bars.map(({ time, open, high, low, close, volume }) => ({
      time,
      prices: [open, high, low, close].map((value) => unitsIn(`${value}`, 5)),
      volume: Number(volume),
    })),
  ).toEqual([
    {
      time: PAYROLLS,
      prices: [
        divideHalfAway(bid.open + ask.open, 2n),
        mids.at(-1),
        mids.at(0),
        divideHalfAway(bid.close + ask.close, 2n),
      ],
      volume: minute.length,
    },
  ])
}
