import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, INSTRUMENTS } from '../test-kit.ts'
import { openRecording, type Recording } from './recording.ts'

const TICKS = 'ts_ms,bid,ask\n2000,1.1,1.2\n'
const BARS = 'ts_ms,o,h,l,c\n1000,1,1,1,1\n'

async function opened(path: string): Promise<Recording> {
  const recording = await openRecording(path, INSTRUMENTS)
  if ('problem' in recording) throw new Error(recording.problem)
  return recording
}

test('a folder is all its recordings of instruments, by the time of their first row', async () => {
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

test('rows before the first that can be read do not count', async () => {
  const folder = await folderOf({ 'EURUSD.csv': 'ts_ms,bid,ask\nx,1,2\n\n7000,1,2\n' })
  expect((await opened(folder)).files[0]?.firstTime).toBe(7_000)
})

test('a missing path is a problem in words', async () => {
  expect(await openRecording('/no/such/place', INSTRUMENTS)).toEqual({
    problem: expect.stringContaining('"/no/such/place" does not exist'),
  })
})

test('a folder without recordings, and a broken archive, are problems in words', async () => {
  const folder = await folderOf({ 'EURUSD_ticks.csv.gz.txt': TICKS, 'README.md': '' })
  const broken = await folderOf({ 'GBPUSD_ticks.csv': '\u0000\u0001' })
  for (const path of [folder, broken]) {
    expect(await openRecording(path, INSTRUMENTS)).toEqual({
      problem: expect.stringContaining('holds no recording'),
    })
  }
})
