import { truncate, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { folderOf, INSTRUMENTS } from '../test-kit.ts'
import { mergeRecording } from './merge.ts'
import { openRecording } from './recording.ts'

const ticks = (...rows: string[]) => ['ts_ms,bid,ask', ...rows, ''].join('\n')

async function merged(folder: string) {
  const recording = await openRecording(folder, INSTRUMENTS)
  if ('problem' in recording) throw new Error(recording.problem)
  const lines: string[] = []
  let broken = 0
  for await (const batch of mergeRecording(recording, () => broken++)) {
    lines.push(...batch.map(({ time, code, bid }) => `${time} ${code} ${bid}`))
  }
  return { lines, broken }
}

test('files are merged by time, equal times of one file in its order', async () => {
  const folder = await folderOf({
    'EURUSD_1.csv': ticks('100,1,2', '100,3,4', '300,5,6'),
    'EURUSD_2.csv.gz': ticks('400,7,8'),
    'GBPUSD_1.csv': ticks('50,9,9', '200,8,9', '500,7,9'),
  })
  expect((await merged(folder)).lines).toEqual([
    '50 GBPUSD 9',
    '100 EURUSD 1',
    '100 EURUSD 3',
    '200 GBPUSD 8',
    '300 EURUSD 5',
    '400 EURUSD 7',
    '500 GBPUSD 7',
  ])
})

test('files longer than a chunk stay in order', async () => {
  const rows = (offset: number) =>
    Array.from({ length: 30_000 }, (_, index) => `${index * 2 + offset},${index},1`)
  const folder = await folderOf({
    'EURUSD.csv': ticks(...rows(0)),
    'GBPUSD.csv.gz': ticks(...rows(1)),
  })
  const { lines } = await merged(folder)
  expect(lines).toHaveLength(60_000)
  expect(lines.map((line) => Number.parseInt(line))).toEqual(lines.map((_, index) => index))
})

test('broken lines are skipped and counted, empty ones only skipped', async () => {
  const folder = await folderOf({
    'EURUSD.csv': ticks('100,1,2', 'half a li', '200,1e5,2', '', '300,,2', '400,3,4') + 'y'.repeat(300_000),
  })
  expect(await merged(folder)).toEqual({ lines: ['100 EURUSD 1', '400 EURUSD 3'], broken: 4 })
})

test('a truncated archive ends there and is counted once', async () => {
  const folder = await folderOf({ 'GBPUSD.csv': ticks('100,1,2', '900000,3,4') })
  const path = join(folder, 'EURUSD.csv.gz')
  const rows = Array.from({ length: 50_000 }, (_, index) => `${index},${(index * 7_919) % 10_007},1`)
  await writeFile(path, gzipSync(ticks(...rows)))
  await truncate(path, Math.floor((await stat(path)).size / 2))
  const { lines, broken } = await merged(folder)
  expect(broken).toBe(1)
  expect(lines.length).toBeGreaterThan(10_000)
  expect(lines.at(-1)).toBe('900000 GBPUSD 3')
})

test('a bar is played only if no better file of the instrument has a tick inside it', async () => {
  const folder = await folderOf({
    'EURUSD_m1_bidask.csv': [
      'ts_ms,bid_o,bid_h,bid_l,bid_c,ask_o,ask_h,ask_l,ask_c',
      '60000,1,1,1,1,2,2,2,2',
      '120000,1,1,1,1,2,2,2,2',
      '180000,1,1,1,1,2,2,2,2',
      '',
    ].join('\n'),
    'EURUSD_m1_trade.csv': 'ts_ms,o,h,l,c\n60000,5,5,5,5\n240000,5,5,5,5\n',
    'EURUSD_ticks.csv': ticks('120000,7,8', '190000,7,8'),
  })
  const { lines } = await merged(folder)
  expect(lines.map((line) => line.replace(' EURUSD', ''))).toEqual([
    '60000 1',
    '75000 1',
    '90000 1',
    '105000 1',
    '120000 7',
    '190000 7',
    '240000 4.99997',
    '255000 4.99997',
    '270000 4.99997',
    '285000 4.99997',
  ])
})
