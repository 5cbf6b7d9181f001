import { beforeAll, describe, expect, test } from 'vitest'
import { post, reasonOf } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

describe.each(DATABASES)('a watch list, %s', (kind) => {
  const server = serverOn(kind)
  let trader: Trader
  beforeAll(async () => {
    trader = await newTrader(server())
  })

  const list = async (token = trader.token) => {
    const answer = await call(server(), '/v1/api/forex/watch_list', { headers: { authorization: token } })
    return dataOf<{ forex_ids: number[] }>(answer).forex_ids
  }
  const set = (forex_ids: unknown, watched: unknown) =>
    post(server(), '/v1/api/forex/set_watched', { forex_ids, watched }, trader.token)

  test('starts empty, and adds and removes several instruments, each once', async () => {
    expect(await list()).toEqual([])
    expect(dataOf(await set([9, 1, 9], 1))).toEqual({ forex_ids: [1, 9] })
    expect(dataOf(await set(1, 1))).toEqual({ forex_ids: [1, 9] })
    expect(dataOf(await set([1, 2], 0))).toEqual({ forex_ids: [9] })
    expect(dataOf(await set([], 1))).toEqual({ forex_ids: [9] })
    expect(await list()).toEqual([9])
  })

  test('belongs to its user alone', async () => {
    await set([3], 1)
    const stranger = await newTrader(server())
    expect(await list(stranger.token)).toEqual([])
    expect(await list()).toContain(3)
  })

  test.each([[999], [[1, 999]]])('refuses the unknown instruments %j, and stays unchanged', async (ids) => {
    const before = await list()
    expect(reasonOf(await set(ids, 1))).toBe('unknownInstrument')
    expect(await list()).toEqual(before)
  })

  test.each([undefined, 'x', [1, 'x'], [-1], {}])('refuses %j, which are not ids', async (ids) => {
    expect(reasonOf(await set(ids, 1))).toBe('idInvalid')
  })
})
