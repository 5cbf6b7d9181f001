import { availableOf } from '@fairlot/core'
import type { OrderTable } from '../../database/schema.ts'
import { amount, lotsText, moment, priceText } from './cells.ts'
import type { DataOf } from './data-of.ts'
import { byNumber, type Section } from './section.ts'

/** Orders, living and finished, with the receipts that prove them and every movement of the account. */
export const tradingSections = (of: DataOf): readonly Section[] => [orders(of), receipts(of), movements(of)]

const orders = ({ queries, userId, instrumentOf }: DataOf): Section => ({
  name: 'orders',
  columns: [
    ...['id', 'parent', 'instrument', 'side', 'kind', 'status', 'endReason', 'lots', 'leverage'],
    ...['targetPrice', 'acceptedPrice', 'openPrice', 'closePrice', 'takeProfit', 'stopLoss'],
    ...['trailingDistance', 'margin', 'fee', 'profit', 'createdAt', 'openedAt', 'endedAt', 'expiresAt'],
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('trade_order').selectAll().where('account_id', '=', BigInt(userId)),
      'id',
      (row) => shownOrder(row, instrumentOf(Number(row.instrument_id))),
    ),
})

const shownOrder = (row: OrderTable, { code, priceDecimals }: ReturnType<DataOf['instrumentOf']>) => ({
  ...{ id: String(row.id), parent: row.parent_id === null ? null : String(row.parent_id), instrument: code },
  ...{ side: row.side, kind: row.kind, status: row.status, endReason: row.end_reason },
  ...{ lots: lotsText(row.lots), leverage: Number(row.leverage) },
  targetPrice: priceText(row.target_price, priceDecimals),
  acceptedPrice: priceText(row.accepted_price, priceDecimals),
  openPrice: priceText(row.open_price, priceDecimals),
  closePrice: priceText(row.close_price, priceDecimals),
  takeProfit: priceText(row.take_profit, priceDecimals),
  stopLoss: priceText(row.stop_loss, priceDecimals),
  trailingDistance: priceText(row.trailing_distance, priceDecimals),
  ...{ margin: amount(row.margin), fee: amount(row.fee), profit: amount(row.profit) },
  ...{ createdAt: moment(row.created_at), openedAt: moment(row.opened_at) },
  ...{ endedAt: moment(row.ended_at), expiresAt: moment(row.expires_at) },
})

/** `body` is the exact text that was hashed: whoever has it can work the hash out again. */
const receipts = ({ queries, userId }: DataOf): Section => ({
  name: 'receipts',
  columns: ['number', 'order', 'at', 'previousHash', 'hash', 'body'],
  pages: () =>
    byNumber(
      queries.selectFrom('receipt').selectAll().where('account_id', '=', BigInt(userId)),
      'number',
      (row) => ({
        ...{ number: Number(row.number), order: String(row.order_id), at: moment(row.at) },
        ...{ previousHash: row.previous_hash, hash: row.hash, body: row.body },
      }),
    ),
})

/** What came in is above zero, with the balance that it left. */
const movements = ({ queries, userId }: DataOf): Section => ({
  name: 'movements',
  columns: ['id', 'at', 'kind', 'amount', 'balance', 'order', 'case'],
  pages: () =>
    byNumber(
      queries.selectFrom('transfer').selectAll().where('account_id', '=', BigInt(userId)),
      'id',
      (row) => {
        const isIncome = row.credit === availableOf(userId)
        return {
          ...{ id: String(row.id), at: moment(row.at), kind: row.kind },
          amount: amount(isIncome ? row.amount : -row.amount),
          balance: amount(isIncome ? row.credit_balance : row.debit_balance),
          order: row.order_id === null ? null : String(row.order_id),
          case: row.case_id === null ? null : String(row.case_id),
        }
      },
    ),
})
