import { fromTicks, fromUnits, LOTS_DECIMALS, MONEY_DECIMALS, decimalText } from '@fairlot/core'
import { csvInSlices, type CsvRow } from '../../platform/http/csv.ts'
import type { Holdings } from '../movements.ts'
import { type InstrumentOf, memoOf, type StatementHead } from './statement-document.ts'
import type { Statement } from './statement.ts'
import type { Translate } from '../../platform/i18n/translate.ts'

/** The columns in their order, each with the text of its head. */
const COLUMNS = {
  row: 'column.row',
  number: 'number',
  time: 'time',
  kind: 'column.kind',
  what: 'what',
  note: 'column.note',
  order: 'order',
  case: 'column.case',
  receipts: 'receipts',
  instrument: 'instrument',
  side: 'column.side',
  lots: 'column.lots',
  opened: 'column.opened',
  open_price: 'column.openPrice',
  close_price: 'column.closePrice',
  fee: 'fee',
  result: 'result',
  available_change: 'column.availableChange',
  frozen_change: 'column.frozenChange',
  available: 'available',
  frozen: 'frozen',
} as const

type Row = Partial<Record<keyof typeof COLUMNS, string | number | null>>

const amount = (units: bigint): string => decimalText(fromUnits(units, MONEY_DECIMALS))
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const held = ({ available, frozen }: Holdings): Row => ({
  available: amount(available),
  frozen: amount(frozen),
})

/**
 * A statement for a spreadsheet: one table with heads in the reader's language. Its first column names the type of each
 * line; this and other codes are the same in every language. Amounts are unrounded, times are UTC (ISO 8601).
 */
export function statementCsv(
  statement: Statement,
  head: StatementHead,
  { translate, instrumentOf }: { readonly translate: Translate; readonly instrumentOf: InstrumentOf },
): Promise<string> {
  const t: Translate = (key, values) => translate(`statement.${key}`, values)
  const about: Row = {
    row: 'statement',
    number: head.uid,
    time: moment(head.generatedAt),
    kind: head.isDemo ? 'demo' : 'real',
    what: head.company,
    note: head.holder,
    instrument: head.currency,
    opened: moment(statement.from),
  }
  const rows: Row[] = [
    about,
    { row: 'opening', time: moment(statement.from), what: t('opening'), ...held(statement.opening) },
    ...statement.movements.map((movement): Row => {
      const { text, notes } = memoOf(movement, { translate, t })
      const { id, at, kind, orderId, caseId, receipt, change, after } = movement
      return {
        row: 'movement',
        number: id,
        time: moment(at),
        kind,
        what: text,
        note: notes.join(' · '),
        order: orderId,
        case: caseId,
        receipts: receipt,
        ...held(after),
        available_change: amount(change.available),
        frozen_change: amount(change.frozen),
      }
    }),
    { row: 'closing', time: moment(statement.to), what: t('closing'), ...held(statement.closing) },
    ...statement.positions.map(({ order, receipts }): Row => {
      const { code, priceDecimals } = instrumentOf(order.instrumentId)
      const price = (value: number | null) =>
        value === null ? '' : decimalText(fromTicks(value as never, priceDecimals))
      return {
        row: 'position',
        order: order.id,
        time: moment(order.endedAt),
        opened: moment(order.openedAt),
        instrument: code,
        side: order.side,
        lots: decimalText(fromUnits(order.lots, LOTS_DECIMALS)),
        open_price: price(order.openPrice),
        close_price: price(order.closePrice),
        fee: amount(order.fee),
        result: amount(order.profit),
        receipts: receipts.join(' '),
      }
    }),
  ]
  const heads = Object.entries(COLUMNS).map(([key, head]) => ({ key, header: t(head) }))
  return csvInSlices(heads, rows as CsvRow[])
}
