import { fromTicks, fromUnits, LOTS_DECIMALS, MONEY_DECIMALS, decimalText } from '@fairlot/core'
import { csvInSlices, type CsvRow } from '../../platform/http/csv.ts'
import type { Holdings } from '../movements.ts'
import { type InstrumentOf, memoOf, type StatementHead } from './statement-document.ts'
import type { Statement } from './statement.ts'
import type { Translate } from '../../platform/i18n/translate.ts'

const COLUMNS = [
  'row',
  'number',
  'time',
  'kind',
  'what',
  'note',
  'order',
  'case',
  'receipts',
  'instrument',
  'side',
  'lots',
  'opened',
  'open_price',
  'close_price',
  'fee',
  'result',
  'available_change',
  'frozen_change',
  'available',
  'frozen',
] as const

type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null>>

const amount = (units: bigint): string => decimalText(fromUnits(units, MONEY_DECIMALS))
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const held = ({ available, frozen }: Holdings): Row => ({
  available: amount(available),
  frozen: amount(frozen),
})

/** A statement for a spreadsheet: one table whose column `row` names the type of each line. Amounts are unrounded, times are UTC (ISO 8601). */
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
  return csvInSlices(COLUMNS, rows as CsvRow[])
}
