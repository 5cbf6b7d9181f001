import { join } from 'node:path'
import { midPrice } from '@fairlot/core'
import { expect, test } from 'vitest'
import { priceInTicks } from '../feed.ts'
import { folderOf, instrument, INSTRUMENTS } from '../test-kit.ts'
import { createRowReader, openRecording, shapeOf, type Recording } from './recording.ts'

const TICKS = 'ts_ms,bid,ask\n2000,1.1,1.2\n'
const BARS = 'ts_ms,o,h,l,c\n1000,1,1,1,1\n'

async function opened(path: string): Promise<Recording> {
  const recording = await openRecording(path, INSTRUMENTS)
  if ('problem' in recording) throw new Error(recording.problem)
  return recording
}

test('a folder contains its recordings of instruments, by the time of their first row', async () => {
  const folder = await folderOf({
    'EURUSD_ticks_20140502.csv.gz': TICKS,
    'gbpusd-2014-05-02.ticks.csv': TICKS.replace('2000', '500'),
    'xauusd_M1_bid.csv': BARS,
    'NZDUSD_h4_2016.csv': BARS,
    'ABC_ticks.csv': TICKS,
    'USDJPY_notes.csv': 'a,b\n1,2\n',
    'EURJPY_empty.csv.gz': '',
    'README.md': 'EURUSD',
  })
  const { files, ignored } = await opened(folder)
  expect(files.map(({ code, shape, barMs, firstTime }) => [code, shape, barMs, firstTime])).toEqual([
    ['GBPUSD', 'ticks', 0, 500],
    ['NZDUSD', 'oneSidedBars', 14_400_000, 1_000],
    ['XAUUSD', 'oneSidedBars', 60_000, 1_000],
    ['EURUSD', 'ticks', 0, 2_000],
  ])
  expect(ignored).toEqual(['ABC_ticks.csv', 'EURJPY_empty.csv.gz', 'USDJPY_notes.csv'])
})

test('a single file is a recording', async () => {
  const folder = await folderOf({ 'EURUSD.csv': TICKS, 'GBPUSD.csv': TICKS })
  expect((await opened(join(folder, 'EURUSD.csv'))).files.map(({ code }) => code)).toEqual(['EURUSD'])
})

test('rows before the first readable one do not count', async () => {
  const folder = await folderOf({ 'EURUSD.csv': 'ts_ms,bid,ask\nx,1,2\n\n7000,1,2\n' })
  expect((await opened(folder)).files[0]?.firstTime).toBe(7_000)
})

test('a missing path returns a problem', async () => {
  expect(await openRecording('/no/such/place', INSTRUMENTS)).toEqual({
    problem: expect.stringContaining('"/no/such/place" does not exist'),
  })
})

test('a folder without recordings, and a broken archive, return problems', async () => {
  const folder = await folderOf({ 'EURUSD_ticks.csv.gz.txt': TICKS, 'README.md': '' })
  const broken = await folderOf({ 'GBPUSD_ticks.csv': '\u0000\u0001' })
  for (const path of [folder, broken]) {
    expect(await openRecording(path, INSTRUMENTS)).toEqual({
      problem: expect.stringContaining('holds no recording'),
    })
  }
})

const TICK_HEADER = 'ts_ms,bid,ask'
const TWO_SIDED = 'ts_ms,bid_o,bid_h,bid_l,bid_c,ask_o,ask_h,ask_l,ask_c'
const WITH_SIZES = 'ts_ms,bid_o,bid_h,bid_l,bid_c,bid_size,ask_o,ask_h,ask_l,ask_c,ask_size'
const EURUSD = instrument('EURUSD')

test.each([
  [TICK_HEADER, 'ticks'],
  [`\uFEFF${TICK_HEADER}`, 'ticks'],
  [TWO_SIDED, 'twoSidedBars'],
  [WITH_SIZES, 'twoSidedBars'],
  ['ts_ms,o,h,l,c,tick_volume', 'oneSidedBars'],
  ['date,usd_per_bbl', null],
  ['1399000000000,1.1,1.2', null],
  ['', null],
])('recognises "%s" as %s', (header, shape) => expect(shapeOf(header)).toBe(shape))

test('returns a tick as it was written', () => {
  const read = createRowReader('ticks', TICK_HEADER, 0, EURUSD)
  expect(read('1398988800277,1.38694,1.387050')).toEqual([
    { time: 1_398_988_800_277, bid: '1.38694', ask: '1.387050' },
  ])
})

test.each(['', '1,2', 'x,1.1,1.2', '1,,1.2', '1,0x10,1.2', '1,1e5,2', '1,NaN,2', '-5,1,2', '1.5,1,2'])(
  'refuses the line "%s"',
  (line) => expect(createRowReader('ticks', TICK_HEADER, 0, EURUSD)(line)).toBeNull(),
)

test('a rising bar becomes open, low, high and close at its start and quarters', () => {
  const read = createRowReader('twoSidedBars', WITH_SIZES, 60_000, EURUSD)
  expect(read('60000,1.1,1.4,1.0,1.3,9,2.1,2.4,2.0,2.3,9')).toEqual([
    { time: 60_000, bid: '1.1', ask: '2.1' },
    { time: 75_000, bid: '1.0', ask: '2.0' },
    { time: 90_000, bid: '1.4', ask: '2.4' },
    { time: 105_000, bid: '1.3', ask: '2.3' },
  ])
})

test('a falling bar has its high first', () => {
  const read = createRowReader('twoSidedBars', TWO_SIDED, 60_000, EURUSD)
  const ticks = read('60000,1.3,1.4,1.0,1.1,2.3,2.4,2.0,2.1')
  expect(ticks?.map(({ bid }) => bid)).toEqual(['1.3', '1.4', '1.0', '1.1'])
})

test('a bar with an empty field is refused', () => {
  expect(createRowReader('twoSidedBars', TWO_SIDED, 60_000, EURUSD)('60000,1,1,1,1,,2,2,2')).toBeNull()
})

test.each([
  ['EURUSD', ['1.10000', '1.20000', '1.00000', '1.15000']],
  ['GBPUSD', ['1.10000', '1.20000', '1.00000', '1.15000']],
])(
  'a one-sided bar of %s is the mid, with the typical spread around it',
  (code, [open, high, low, close]) => {
    const { priceDecimals, typicalSpread } = instrument(code)
    const read = createRowReader('oneSidedBars', 'ts_ms,o,h,l,c,v', 60_000, instrument(code))
    const ticks = read(`60000,${open},${high},${low},${close},77`) ?? []
    const mids = ticks.map(({ bid, ask }) => {
      const [bidTicks, askTicks] = [priceInTicks(bid, priceDecimals), priceInTicks(ask, priceDecimals)]
      if (bidTicks === null || askTicks === null) throw new Error('not a price')
      expect(askTicks - bidTicks).toBe(Math.round(typicalSpread * 1e5))
      return midPrice({ bid: bidTicks, ask: askTicks })
    })
    expect(mids).toEqual([110_000, 100_000, 120_000, 115_000])
  },
)
