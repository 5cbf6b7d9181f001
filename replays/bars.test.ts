import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { seedInstruments } from '../apps/server/src/seed/seed.ts'
import { BAR_MS, bidAt, readBars, STEP_MS } from './bars.ts'

const FROM = Date.UTC(2016, 5, 23, 12)
const HEADER = 'ts_ms,o,h,l,c,tick_volume'

/** GBPUSD as recorded in these lines. */
function recorded(...lines: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-bars-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'GBPUSD_h1_2016.csv.gz'), gzipSync(lines.join('\n')))
  writeFileSync(join(folder, 'SOURCE.md'), 'where it is from')
  const [pound] = readBars(folder, seedInstruments(), { from: FROM, to: FROM + 2 * BAR_MS })
  if (!pound) throw new Error('nothing was read')
  return pound
}

const way = (pound: ReturnType<typeof recorded>, from: number) =>
  [0, 1, 2, 3].map((point) => bidAt(pound, from + point * STEP_MS))

it('a rising bar passes its low first, a falling bar its high', () => {
  const pound = recorded(HEADER, `${FROM},1.48,1.50,1.47,1.49,7`, `${FROM + BAR_MS},1.49,1.50,1.32,1.33,7`)
  expect(way(pound, FROM)).toEqual([148_000, 147_000, 150_000, 149_000])
  expect(way(pound, FROM + BAR_MS)).toEqual([149_000, 150_000, 132_000, 133_000])
})

it('an hour that is not recorded or outside the period has no price', () => {
  const pound = recorded(HEADER, `${FROM - BAR_MS},1,1,1,1,7`, `${FROM},1.48,1.50,1.47,1.49,7`)
  expect(way(pound, FROM - BAR_MS)).toEqual([null, null, null, null])
  expect(way(pound, FROM + BAR_MS)).toEqual([null, null, null, null])
})

it('rejects a file with another header and a line that is not a bar', () => {
  expect(() => recorded('time,open')).toThrow(`does not begin with "${HEADER}"`)
  expect(() => recorded(HEADER, `${FROM},1.48,high,1.47,1.49,7`)).toThrow(`This is not a bar: ${FROM}`)
})
