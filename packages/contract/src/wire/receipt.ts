import type { Receipt, ReceiptTrigger } from '@fairlot/core'
import { fromUnits } from '@fairlot/core/decimal'
import { noun } from '../codec.ts'
import {
  choice,
  decimal,
  id,
  integer,
  listOf,
  maybe,
  orNull,
  price,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'

const TRIGGERS = {
  user: 'user',
  target: 'target',
  takeProfit: 'takeProfit',
  stopLoss: 'stopLoss',
  stopOut: 'stopOut',
  expiry: 'expiry',
  rollover: 'rollover',
  operator: 'operator',
} as const satisfies Record<ReceiptTrigger, ReceiptTrigger>

const ACTIONS = {
  place: 'place',
  open: 'open',
  close: 'close',
  cancel: 'cancel',
  finance: 'finance',
} as const satisfies Record<Receipt['action'], Receipt['action']>

/** A tick as it was published: the one a decision rests on, or one of a conversion's pairs. */
const receiptTick = noun({
  instrumentId: ['ForexId', id],
  bid: ['Bid', price],
  ask: ['Ask', price],
  seq: ['Seq', whole()],
  time: ['TickTime', time],
  receivedAt: ['ReceivedTime', time],
  source: ['Source', text],
  /** By how much each side lies outside what the source sent. */
  markUp: ['MarkUp', withDefault(price, fromUnits(0, 0))],
})

/** One of an order's `Receipts`, which are ours: the proof of one decision. */
export const receipt = noun({
  at: ['Time', time],
  action: ['Action', choice(ACTIONS)],
  trigger: ['Trigger', choice(TRIGGERS)],
  tick: ['Tick', orNull(receiptTick)],
  quoteSide: ['QuoteSide', orNull(choice({ bid: 'bid', ask: 'ask' }))],
  requestedPrice: ['RequestedPrice', orNull(price)],
  filledPrice: ['FilledPrice', orNull(price)],
  slippage: ['Slippage', decimal],
  delayMs: ['DelayMs', integer],
  conversion: ['Conversion', listOf(receiptTick)],
  ruleVersion: ['RuleVersion', whole()],
  /** The version of the terms it was decided by; 0 where they had none yet. */
  terms: ['Terms', withDefault(whole(), 0)],
  /** The chain: this receipt's hash, and that of the account's receipt before it; null until they are in the tables. */
  hash: ['Hash', maybe(text)],
  previousHash: ['PreviousHash', maybe(text)],
})

/** A receipt as the tables keep it: `hash` is the SHA-256 of `previousHash` and `body`, joined as they stand. */
export const sealedReceipt = noun({
  /** Counts the receipts of its account from 1. */
  number: ['Number', whole(1)],
  orderId: ['OrderId', id],
  previousHash: ['PreviousHash', text],
  body: ['Body', text],
  hash: ['Hash', text],
})
