import type { CloseGround, Receipt, ReceiptTrigger } from '@fairlot/core'
import { fromUnits } from '@fairlot/core/decimal'
import { object } from '../protocol/codec.ts'
import {
  choice,
  decimal,
  id,
  integer,
  listOf,
  omittable,
  nullable,
  price,
  text,
  time,
  int,
  withDefault,
} from '../protocol/field.ts'

const TRIGGERS = {
  user: 'user',
  target: 'target',
  takeProfit: 'takeProfit',
  stopLoss: 'stopLoss',
  stopOut: 'stopOut',
  expiry: 'expiry',
  rollover: 'rollover',
  operator: 'operator',
  copy: 'copy',
} as const satisfies Record<ReceiptTrigger, ReceiptTrigger>

const ACTIONS = {
  place: 'place',
  open: 'open',
  close: 'close',
  cancel: 'cancel',
  finance: 'finance',
} as const satisfies Record<Receipt['action'], Receipt['action']>

export const GROUNDS = {
  ownerRequest: 'ownerRequest',
  ownerDeceased: 'ownerDeceased',
  authorityOrder: 'authorityOrder',
  accountEnds: 'accountEnds',
  instrumentEnds: 'instrumentEnds',
  termsBroken: 'termsBroken',
} as const satisfies Record<CloseGround, CloseGround>

/** A published tick: the one used by a decision, or one of a conversion's pairs. */
export const receiptTick = object({
  instrumentId: ['ForexId', id],
  bid: ['Bid', price],
  ask: ['Ask', price],
  seq: ['Seq', int()],
  time: ['TickTime', time],
  receivedAt: ['ReceivedTime', time],
  source: ['Source', text],
  /** The markup on each side of the source's price. */
  markUp: ['MarkUp', withDefault(price, fromUnits(0, 0))],
  /** 1 if it was used only because two operators admitted it: its reference was not confirmed by market ticks yet. */
  admitted: ['Admitted', omittable(choice({ yes: 1 }))],
})

/** One of an order's `Receipts`, our extension: the proof of one decision. */
export const receipt = object({
  at: ['Time', time],
  action: ['Action', choice(ACTIONS)],
  trigger: ['Trigger', choice(TRIGGERS)],
  tick: ['Tick', nullable(receiptTick)],
  quoteSide: ['QuoteSide', nullable(choice({ bid: 'bid', ask: 'ask' }))],
  requestedPrice: ['RequestedPrice', nullable(price)],
  filledPrice: ['FilledPrice', nullable(price)],
  slippage: ['Slippage', decimal],
  delayMs: ['DelayMs', integer],
  conversion: ['Conversion', listOf(receiptTick)],
  ruleVersion: ['RuleVersion', int()],
  /** The version of the terms used; 0 without one. */
  terms: ['Terms', withDefault(int(), 0)],
  /** Of a position closed by operators: the published ground. */
  ground: ['Ground', omittable(choice(GROUNDS))],
  /** Of a limit or stop order that was placed or opened; none on receipts from before kinds were named. */
  kind: ['Kind', omittable(choice({ limit: 'limit', stop: 'stop' }))],
  /** The chain: this receipt's hash and that of the account's previous receipt; null until they are in the tables. */
  hash: ['Hash', omittable(text)],
  previousHash: ['PreviousHash', omittable(text)],
})

/** A stored receipt: `hash` is the SHA-256 of `previousHash` and `body`, concatenated. */
export const sealedReceipt = object({
  /** The number of the receipt in its account, from 1. */
  number: ['Number', int(1)],
  orderId: ['OrderId', id],
  previousHash: ['PreviousHash', text],
  body: ['Body', text],
  hash: ['Hash', text],
})
