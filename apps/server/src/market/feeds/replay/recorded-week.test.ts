import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { RawTick } from '../feed.ts'
import { createManualPace, instrument } from '../test-kit.ts'
import { readLines } from './recording.ts'
import { openReplay } from './replay-feed.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../../../../..')
const WEEK = resolve(REPOSITORY, '../shared/data/lean-oanda-2014-05')
const isThere = existsSync(WEEK)
if (!isThere) console.warn('SKIPPED: ../shared/data is absent, so no recorded week is replayed')

test.skipIf(!isThere)(
  'the day of the payrolls is played tick by tick as recorded',
  { timeout: 60_000 },
  async () => {
    const path = resolve(WEEK, 'EURUSD_ticks_20140502.csv.gz')
    const recorded: string[] = []
    for await (const lines of readLines(path)) recorded.push(...lines)
    const replay = await openReplay(
      { path, speed: 20, from: null, isLooping: false },
      { instruments: [instrument('EURUSD')], pace: createManualPace(0), notBefore: 0 },
    )
    if ('problem' in replay) throw new Error(replay.problem)
    const { feed, clock } = replay
    const received: string[] = []
    let latest = 0
    await new Promise<void>((done) => {
      const onTick = ({ time, bid, ask }: RawTick) => {
        received.push(`${time},${bid},${ask}`)
        latest = Math.max(latest, clock.now() - (time ?? 0))
        if (received.length === recorded.length - 1) done()
      }
      void feed.start(onTick)
    })
    await feed.stop()
    expect(received).toHaveLength(49_341)
    expect(received).toEqual(recorded.slice(1))
    expect(latest).toBeLessThan(20)
    expect(feed.counters()).toEqual({ received: 49_341, broken: 0 })
  },
)

test.skipIf(!isThere)(
  'a week of two pairs is folded into history by the time of the payrolls',
  { timeout: 60_000 },
  async () => {
    const from = Date.UTC(2014, 4, 2, 12, 25)
    const replay = await openReplay(
      { path: WEEK, speed: 1, from, isLooping: true },
      {
        instruments: ['EURUSD', 'NZDUSD', 'XAUUSD'].map(instrument),
        pace: createManualPace(0),
        notBefore: 0,
      },
    )
    if ('problem' in replay) throw new Error(replay.problem)
    expect(replay.clock.now()).toBe(from)
    const codes: string[] = []
    for await (const { code, bars } of replay.feed.history?.(
      ['EURUSD', 'NZDUSD', 'XAUUSD'].map(instrument),
      from,
    ) ?? []) {
      codes.push(code)
      expect(bars['1min'].length).toBeGreaterThan(1_000)
      expect(bars['1min'].at(-1)?.time).toBe(from - 60_000)
      expect(bars['60min'].length).toBeGreaterThan(35)
      expect(bars['1day']).toHaveLength(2)
    }
    expect(codes).toEqual(['EURUSD', 'NZDUSD', 'XAUUSD'])
  },
)
