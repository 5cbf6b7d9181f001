import { hash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { newTrader } from '../../../../testing/traders.ts'

type Row = Record<string, unknown>
type Sealed = { Number: number; OrderId: number; PreviousHash: string; Body: string; Hash: string }
type Shown = { Id: number; Receipts: { Hash: string; PreviousHash: string; Time: number }[] }

const sha256 = (text: string): string => hash('sha256', text)

describe.each(DATABASES)('receipts over the wire, %s', (kind) => {
  const server = serverOn(kind)
  let token = ''
  const request = async <Data = Row>(path: string, body?: object, as: string | null = token) => {
    const answer = await call(server(), `/v1/api/forex/${path}`, {
      headers: { lang: 'en', ...(as !== null && { authorization: as }) },
      ...(body && { body }),
    })
    return answer.body as { code: number; msg: string; data: Data }
  }
  const opened = async () => {
    const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
    return (await request<Shown>('submit', ticket)).data.Id
  }
  const sealed = async (id: unknown) => (await request<Sealed[]>(`receipts?id=${String(id)}`)).data
  const inTable = () => server().deployment.database.queries.selectFrom('receipt').selectAll()

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    token = (await newTrader(server())).token
  })

  test('returns each receipt of an order exactly as in the table', async () => {
    const id = await opened()
    await request('close', { id })
    const rows = await inTable().where('order_id', '=', BigInt(id)).orderBy('number').execute()
    expect(await sealed(id)).toEqual(
      rows.map((row) => ({
        Number: Number(row.number),
        OrderId: id,
        PreviousHash: row.previous_hash,
        Body: row.body,
        Hash: row.hash,
      })),
    )
    expect(rows.map(({ number }) => Number(number))).toEqual([1, 2])
  })

  test('hashes the previous hash and the text by SHA-256, as shown with the order', async () => {
    const id = await opened()
    const { data: closed } = await request<Shown>('close', { id })
    const receipts = await sealed(id)
    for (const { Hash, PreviousHash, Body } of receipts) expect(Hash).toBe(sha256(PreviousHash + Body))
    expect(receipts.map(({ PreviousHash }) => PreviousHash)).toEqual(['0'.repeat(64), receipts[0]?.Hash])
    expect(closed.Receipts.map(({ Hash, PreviousHash }) => [Hash, PreviousHash])).toEqual(
      receipts.map(({ Hash, PreviousHash }) => [Hash, PreviousHash]),
    )
    expect(closed.Receipts.map(({ Time }) => Time)).toEqual(
      receipts.map(({ Body }) => (JSON.parse(Body) as { at: number }).at),
    )
  })

  test('returns receipts of an active order at once, and those of a closed part separately', async () => {
    const id = await opened()
    const { data: part } = await request<Shown>('close', { id, cont: 0.04 })
    expect((await sealed(id)).map(({ OrderId, Number: number }) => [OrderId, number])).toEqual([[id, 1]])
    expect((await sealed(part.Id)).map(({ OrderId, Number: number }) => [OrderId, number])).toEqual([
      [part.Id, 2],
    ])
  })

  test("answers the same for another user's order and an unknown one, here and by deal", async () => {
    const id = await opened()
    const other = (await newTrader(server())).token
    for (const path of ['receipts', 'deal']) {
      const theirs = await request(`${path}?id=${id}`, undefined, other)
      expect(theirs).toEqual({
        code: 0,
        msg: 'There is no such order.',
        data: expect.objectContaining({ reason: 'orderNotFound' }),
      })
      expect(await request(`${path}?id=${id + 1_000_000}`, undefined, other)).toEqual(theirs)
    }
  })

  test('refuses invalid ids and visitors', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '', '9007199254740993'])
      expect(await request(`receipts?id=${id}`)).toMatchObject({ code: 0, data: { reason: 'idInvalid' } })
    const id = await opened()
    expect((await request(`receipts?id=${id}`, undefined, null)).code).not.toBe(1)
    expect(await request(`receipts?id=${id}`)).toMatchObject({ code: 1 })
  })

  test('deal returns one order, active or closed, as its list does', async () => {
    const id = await opened()
    const listed = async (status: number) =>
      (await request<{ data: Shown[] }>(`my_deal?status=${status}`)).data.data[0]
    expect((await request(`deal?id=${id}`)).data).toEqual(await listed(1))
    await request('close', { id })
    expect((await request(`deal?id=${id}`)).data).toEqual(await listed(3))
  })
})
