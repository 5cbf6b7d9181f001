/** A statement in the words of its reader, as pages show it. */
import type { Holdings } from '../movements-since.ts'
import type { Translate } from '../../i18n/translate.ts'
import { LOTS_DECIMALS } from '@fairlot/core'
import { fitted } from './column-widths.ts'
import type { Cell, Column, Table } from './statement-table.ts'
import type { ClosedPosition, Statement, StatementMovement } from './statement.ts'
import type { FigureText, StatementText } from './statement-text.ts'

export type StatementDocument = {
  /** BCP 47 tag of the reader's language: it decides the direction, the breaks of lines and the shapes of letters. */
  readonly tag: string
  readonly title: string
  readonly company: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly tables: readonly Table[]
  readonly note: string
  /** Between the number of a page and how many there are. */
  readonly pageWord: string
}

/** What is said about whose statement it is. */
export type StatementHead = {
  readonly company: string
  /** The public number. */
  readonly uid: string
  /** E-mail address or phone number; empty for a demo account. */
  readonly holder: string
  readonly isDemo: boolean
  readonly currency: string
  readonly generatedAt: number
}

/** How an instrument is called and how many decimals its prices have. */
export type InstrumentOf = (id: number) => { readonly code: string; readonly priceDecimals: number }

export type Reader = {
  readonly tag: string
  readonly translate: Translate
  readonly text: StatementText
  readonly instrumentOf: InstrumentOf
}

const DAY_MS = 86_400_000

export function documentOf(statement: Statement, head: StatementHead, reader: Reader): StatementDocument {
  const { tag, translate, text } = reader
  const t: Translate = (key, values) => translate(`statement.${key}`, values)
  const words = { ...reader, t }
  return {
    ...{ tag, title: t('title'), company: head.company },
    facts: [
      [t('account'), `${head.uid} · ${t(head.isDemo ? 'demo' : 'real')}`],
      ...(head.holder === '' ? [] : [[t('holder'), head.holder] as const]),
      [t('period'), `${text.day(statement.from)} – ${text.day(statement.to - DAY_MS)}`],
      [t('currency'), head.currency],
      [t('generated'), text.moment(head.generatedAt)],
    ],
    tables: [summaryOf(statement, words), movementsOf(statement, words), positionsOf(statement, words)],
    note: t('note'),
    pageWord: t('pageOf'),
  }
}

type Words = Reader & { readonly t: Translate }

const start = (title: string): Column => ({ title, width: 0, align: 'start' })
const wide = (title: string): Column => ({ title, width: null, align: 'start' })
const end = (title: string): Column => ({ title, width: 0, align: 'end' })
const cellOf = ({ main, rest }: FigureText): Cell => ({ text: main, rest })

function summaryOf({ opening, closing, sums }: Statement, { t, text }: Words): Table {
  const held = (name: string, { available, frozen }: Holdings): Cell[] =>
    [{ text: name }, cellOf(text.money(available)), cellOf(text.money(frozen))].map((cell) => ({
      ...cell,
      isStrong: true,
    }))
  const moved = [...sums].map(([kind, { available, frozen }]): Cell[] => [
    { text: t(`kind.${kind}`) },
    cellOf(text.change(available)),
    cellOf(text.change(frozen)),
  ])
  return fitted({
    ...{ title: t('summary'), empty: '' },
    columns: [wide(''), end(t('available')), end(t('frozen'))],
    rows: [held(t('opening'), opening), ...moved, held(t('closing'), closing)],
  })
}

function movementsOf({ movements }: Statement, words: Words): Table {
  const { t, text } = words
  const row = (movement: StatementMovement): Cell[] => [
    { text: String(movement.id) },
    { text: text.moment(movement.at) },
    memoOf(movement, words),
    { text: movement.receipt === null ? '' : String(movement.receipt) },
    cellOf(text.change(movement.change.available)),
    cellOf(text.change(movement.change.frozen)),
    cellOf(text.money(movement.after.available)),
  ]
  return fitted({
    ...{ title: t('movements'), empty: t('noMovement') },
    columns: [
      ...[start(t('number')), start(t('time')), wide(t('what')), end(t('receipt'))],
      ...[end(t('available')), end(t('frozen')), end(t('balance'))],
    ],
    rows: movements.map(row),
  })
}

/** What a movement was for, as the records say it, and below what else is known of it. */
export function memoOf(
  { kind, orderId, caseId, memo }: StatementMovement,
  { translate, t }: Pick<Words, 'translate' | 't'>,
): Required<Pick<Cell, 'text' | 'notes'>> {
  const number = caseId === null ? '' : t('case', { id: String(caseId) })
  return {
    text: translate(`memo.${kind}`, { orderId: String(orderId ?? '') }),
    notes: [number, memo].filter((part) => part !== ''),
  }
}

function positionsOf({ positions }: Statement, { t, text, instrumentOf }: Words): Table {
  const row = ({ order, receipts }: ClosedPosition): Cell[] => {
    const { code, priceDecimals } = instrumentOf(order.instrumentId)
    const price = (value: number | null) => (value === null ? '' : text.decimal(value, priceDecimals))
    const { side, lots, profit, fee } = order
    return [
      { text: String(order.id) },
      { text: code, notes: [t(side, { lots: text.decimal(lots, LOTS_DECIMALS) })] },
      { text: receipts.join(', ') },
      { text: text.moment(order.openedAt ?? order.createdAt), notes: [price(order.openPrice)] },
      { text: text.moment(order.endedAt ?? 0), notes: [price(order.closePrice)] },
      cellOf(text.money(fee)),
      cellOf(profit === 0n ? text.money(profit) : text.change(profit)),
    ]
  }
  return fitted({
    ...{ title: t('positions'), empty: t('noPosition') },
    columns: [
      ...[start(t('order')), start(t('instrument')), wide(t('receipts')), start(t('opened'))],
      ...[start(t('closed')), end(t('fee')), end(t('result'))],
    ],
    rows: positions.map(row),
  })
}
