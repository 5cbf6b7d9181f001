import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finishDeposit } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atDesk } from '../../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, units } from '../../testing/payments.ts'
import { makePlace, startServer, type RunningServer } from '../../testing/running-server.ts'
import { createSteppedPace } from '../../testing/stepped-pace.ts'

const SECOND_MS = 1_000
const DAY_MS = 24 * 3_600_000
const RECORDED = Date.parse('2024-05-01T12:00:00Z')
const PLAYED = Date.parse('2026-01-05T12:00:00Z')
/** A day of the recording is played in 86.4 s. */
const SPEED = 1_000

describe('the limits of 24 hours, with the prices of a recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-limits-'))
  const pace = createSteppedPace(PLAYED)
  let place: Awaited<ReturnType<typeof makePlace>>
  let server: RunningServer

  beforeAll(async () => {
    const ticks = [RECORDED, RECORDED + 2 * DAY_MS].map((at) => `${at},1.1,1.10006`)
    writeFileSync(join(folder, 'EURUSD.csv'), ['ts_ms,bid,ask', ...ticks].join('\n'))
    place = await makePlace('sqlite')
    server = await startServer(place, { pace, env: { FEED: `replay:${folder}@${SPEED}?loop=off` } })
  })
  afterAll(async () => {
    await server.stop()
    await place.remove()
    rmSync(folder, { recursive: true })
    expect(server.failures).toEqual([])
  })

  test('add up over a day of the recording, however fast it is played', async () => {
    const { engine, market } = server.deployment
    // With its first price the recording begins to play.
    await expect.poll(() => engine.state().quotes.size).toBe(1)
    const payer = await newPayer(server)
    const finance = await atDesk(server, 'finance')
    const credit = async (amount: number): Promise<string> => {
      const id = await openedDeposit(server, payer.user.id, units(amount))
      const form = { id, amount: sentUnits(amount), arrivedAt: null, reason: 'arrived' }
      const { approvalId } = await finance.request(finishDeposit, form)
      return approvalId === null ? 'credited by one' : 'waits for a second'
    }
    const passed = async (ms: number) => {
      await pace.to(PLAYED + ms / SPEED)
      expect(market.now()).toBe(RECORDED + ms)
    }
    await passed(0)
    expect(await credit(10_000)).toBe('credited by one')
    expect(await credit(1)).toBe('waits for a second')
    await passed(DAY_MS - SECOND_MS)
    expect(await credit(1)).toBe('waits for a second')
    await passed(DAY_MS + SECOND_MS)
    expect(await credit(1)).toBe('credited by one')
  })
})
