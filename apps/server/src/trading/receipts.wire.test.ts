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
  const ask = async <Data = Row>(path: string, body?: object, as: string | null = token) => {
    const answer = await call(server(), `/v1/api/forex/${path}`, {
      headers: { lang: 'en', ...(as !== null && { authorization: as }) },
      ...(body && { body }),
    })
    return answer.body as { code: number; msg: string; data: Data }
  }
  const opened = async () => {
    const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
    return (await ask<Shown>('submit', ticket)).data.Id
  }
  const sealed = async (id: unknown) => (await ask<Sealed[]>(`receipts?id=${String(id)}`)).data
  const inTable = () => server().deployment.database.queries.selectFrom('receipt').selectAll()

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    token = (await newTrader(server())).token
  })

  test('an order has each of its receipts exactly as the table keeps it', async () => {
    const id = await opened()
    await ask('close', { id })
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

  test('its hash is the SHA-256 of the hash before it and its text, and the order shows the same', async () => {
    const id = await opened()
    const { data: closed } = await ask<Shown>('close', { id })
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

  test('a living order has its receipts at once, and a closed part those of its own', async () => {
    const id = await opened()
    const { data: part } = await ask<Shown>('close', { id, cont: 0.04 })
    expect((await sealed(id)).map(({ OrderId, Number: number }) => [OrderId, number])).toEqual([[id, 1]])
    expect((await sealed(part.Id)).map(({ OrderId, Number: number }) => [OrderId, number])).toEqual([
      [part.Id, 2],
    ])
  })

  test("another's order and one that is not there are answered alike, here and by deal", async () => {
    const id = await opened()
    const other = (await newTrader(server())).token
    for (const path of ['receipts', 'deal']) {
      const theirs = await ask(`${path}?id=${id}`, undefined, other)
      expect(theirs).toEqual({
        code: 0,
        msg: 'There is no such order.',
        data: expect.objectContaining({ reason: 'orderNotFound' }),
      })
      expect(await ask(`${path}?id=${id + 1_000_000}`, undefined, other)).toEqual(theirs)
    }
  })

  test('an id that is none is refused, and so is a visitor', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '', '9007199254740993'])
      expect(await ask(`receipts?id=${id}`)).toMatchObject({ code: 0, data: { reason: 'idInvalid' } })
    const id = await opened()
    expect((await ask(`receipts?id=${id}`, undefined, null)).code).not.toBe(1)
    expect(await ask(`receipts?id=${id}`)).toMatchObject({ code: 1 })
  })

  test('deal answers one order, living or ended, as its list does', async () => {
    const id = await opened()
    const listed = async (status: number) =>
      (await ask<{ data: Shown[] }>(`my_deal?status=${status}`)).data.data[0]
    expect((await ask(`deal?id=${id}`)).data).toEqual(await listed(1))
    await ask('close', { id })
    expect((await ask(`deal?id=${id}`)).data).toEqual(await listed(3))
  })
})
