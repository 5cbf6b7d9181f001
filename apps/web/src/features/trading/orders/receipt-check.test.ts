import { hash, webcrypto } from 'node:crypto'
import type { Decimal, OrderView, Receipt, SealedReceipt } from '@fairlot/contract'
import { lots, money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { checkReceipt, hashedText, sealedOf, sha256 } from './receipt-check.ts'

const price = (text: string) => Number(text) as Decimal
const at = 1_700_000_000_123
const tick = {
  instrumentId: 1,
  bid: price('1.1'),
  ask: price('1.10006'),
  seq: 41,
  time: at - 9,
  receivedAt: at - 7,
  source: 'simulated',
  markUp: price('0'),
  admitted: null,
}
const previousHash = 'ab'.repeat(32)
const body =
  '{"number":3,"at":1700000000123,"event":{"type":"positionClosed","orderId":7,"accountId":2,"reason":"user",' +
  '"closePrice":110000,"profit":"-600000","receipt":{"action":"close","trigger":"user","tick":{"instrumentId":1,' +
  '"bid":110000,"ask":110006,"seq":41,"time":1700000000114,"receivedAt":1700000000116,"source":"simulated"},' +
  '"quoteSide":"bid","requestedPrice":110002,"filledPrice":110000,"slippage":-2,"delayMs":7,' +
  '"conversion":[{"instrumentId":3,"bid":151240,"ask":151250,"seq":5,"time":1,"receivedAt":2,"source":"simulated"}],' +
  '"ruleVersion":1},"transfers":[]}}'
const sealed: SealedReceipt = {
  number: 3,
  orderId: 7,
  previousHash,
  body,
  hash: hash('sha256', previousHash + body),
}
const receipt: Receipt = {
  at,
  action: 'close',
  trigger: 'user',
  tick,
  quoteSide: 'bid',
  requestedPrice: price('1.10002'),
  filledPrice: price('1.1'),
  slippage: price('-0.00002'),
  delayMs: 7,
  conversion: [
    { ...tick, instrumentId: 3, bid: price('151.24'), ask: price('151.25'), seq: 5, time: 1, receivedAt: 2 },
  ],
  kind: null,
  ruleVersion: 1,
  ground: null,
  terms: 0,
  hash: sealed.hash,
  previousHash,
}
const order = {
  id: 7,
  parentId: null,
  accountId: 2,
  instrument: { id: 1, priceDecimals: 5 },
  lots: lots(1_000),
  currentPrice: price('1.1'),
  profit: money(-600_000n),
  endReason: 'user',
} as OrderView

const decimalsOf = (id: number) =>
  new Map([
    [1, 5],
    [3, 3],
  ]).get(id)
const tools = { hasher: webcrypto.subtle, decimalsOf }
const resealed = (text: string): SealedReceipt => ({
  ...sealed,
  body: text,
  hash: hash('sha256', previousHash + text),
})
const check = (shown: Partial<Receipt>, of: Partial<OrderView> = {}, by: SealedReceipt = sealed) =>
  checkReceipt({ order: { ...order, ...of }, receipt: { ...receipt, hash: by.hash, ...shown } }, by, tools)

test('the hash covers the previous hash and the text, in UTF-8', async () => {
  expect(await sha256('漢 abc', webcrypto.subtle)).toBe(hash('sha256', '漢 abc'))
  expect(hashedText(sealed)).toBe(previousHash + body)
})

test('a receipt that matches its text and hash is genuine', async () => {
  expect(await check({})).toEqual({ is: 'genuine' })
})

test('a text with one changed character does not match the hash', async () => {
  const forged = { ...sealed, body: body.replace('110002', '110003') }
  const verdict = await checkReceipt({ order, receipt }, forged, tools)
  expect(verdict).toEqual({ is: 'otherHash', computed: hash('sha256', previousHash + forged.body) })
})

describe('figures on the screen that differ from the text are named', () => {
  test.each<[string, Partial<Receipt>, string]>([
    ['fill', { filledPrice: price('1.10001') }, 'prices'],
    ['requested price', { requestedPrice: null }, 'prices'],
    ['slippage', { slippage: price('0.00002') }, 'prices'],
    ['side', { quoteSide: 'ask' }, 'prices'],
    ['time', { at: at + 1 }, 'time'],
    ['trigger', { trigger: 'stopOut' }, 'decision'],
    ['delay', { delayMs: 0 }, 'decision'],
    ['tick', { tick: { ...tick, seq: 42 } }, 'tick'],
    ['mark-up', { tick: { ...tick, markUp: price('0.00002') } }, 'tick'],
    ['admission by operators', { tick: { ...tick, admitted: 'yes' } }, 'tick'],
    ['no tick', { tick: null }, 'tick'],
    ['conversion', { conversion: [] }, 'conversion'],
    ['previous hash', { previousHash: '0'.repeat(64) }, 'place'],
  ])('%s', async (_what, shown, part) => {
    expect(await check(shown)).toEqual({ is: 'otherFigures', parts: [part] })
  })

  test.each<[string, Partial<OrderView>, string]>([
    ['another order', { id: 8 }, 'order'],
    ['another account', { accountId: 3 }, 'order'],
    ['another profit', { profit: money(600_000n) }, 'outcome'],
    ['another closing price', { currentPrice: price('1.2') }, 'outcome'],
    ['another reason', { endReason: 'stopOut' }, 'outcome'],
  ])('%s', async (_what, of, part) => {
    expect(await check({}, of)).toEqual({ is: 'otherFigures', parts: [part] })
  })

  test('a text that is no receipt, although its hash matches', async () => {
    expect(await check({}, {}, resealed('no receipt'))).toEqual({ is: 'otherFigures', parts: ['text'] })
  })

  test('a place in the chain that differs from the text', async () => {
    expect(await check({}, {}, { ...sealed, number: 4 })).toEqual({ is: 'otherFigures', parts: ['place'] })
  })
})

test('the version of the terms is that of the text; older texts have none', async () => {
  const named = resealed(body.replace('"ruleVersion":1', '"ruleVersion":1,"terms":112'))
  expect(await check({ terms: 112 }, {}, named)).toEqual({ is: 'genuine' })
  expect(await check({ terms: 113 }, {}, named)).toEqual({ is: 'otherFigures', parts: ['decision'] })
  expect(await check({ terms: 1 })).toEqual({ is: 'otherFigures', parts: ['decision'] })
})

test('the closed part of a position is checked by its own id, size and parent', async () => {
  const reduced = body.replace(
    '"positionClosed","orderId":7',
    '"positionReduced","orderId":5,"partId":7,"lots":1000',
  )
  const part = resealed(reduced)
  expect(await check({}, { parentId: 5 }, part)).toEqual({ is: 'genuine' })
  expect(await check({}, { parentId: 6 }, part)).toEqual({ is: 'otherFigures', parts: ['outcome'] })
  expect(await check({}, { parentId: 5, lots: lots(900) }, part)).toMatchObject({ parts: ['outcome'] })
})

test('without the browser’s SHA-256 wrong figures are still detected, and correct ones are not reported as genuine', async () => {
  const without = { ...tools, hasher: null }
  expect(await checkReceipt({ order, receipt }, sealed, without)).toEqual({ is: 'cannotHash' })
  const wrong = { order, receipt: { ...receipt, at: 1 } }
  expect(await checkReceipt(wrong, sealed, without)).toEqual({ is: 'otherFigures', parts: ['time'] })
})

test('a receipt is found by the hash on the screen, and reported as missing if there is none', async () => {
  expect(sealedOf(receipt, [resealed('{}'), sealed])).toBe(sealed)
  const unknown = sealedOf({ ...receipt, hash: 'ff' }, [sealed])
  expect(await checkReceipt({ order, receipt }, unknown, tools)).toEqual({ is: 'missing' })
})
