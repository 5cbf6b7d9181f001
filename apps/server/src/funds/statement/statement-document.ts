/** A statement in its reader's language, laid out for printing. */
import {
  decimalText,
  formatDecimal,
  fromUnits,
  LOTS_DECIMALS,
  MONEY_DECIMALS,
  rateText,
  SENT_DECIMALS,
} from '@fairlot/core'
import { formatTag, withoutMarks } from '@fairlot/contract'
import type { Translate } from '../../platform/i18n/translate.ts'
import type { Holdings } from '../movements.ts'
import type { ClosedPosition, Statement, StatementMovement } from './statement.ts'

export type StatementDocument = {
  /** BCP 47 tag of the reader's language, which decides the direction, line breaks and glyphs. */
  readonly tag: string
  readonly title: string
  readonly company: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly tables: readonly Table[]
  readonly note: string
  /** The word between the page number and the number of pages. */
  readonly pageOf: string
}

/** Whose statement it is. */
export type StatementHead = {
  readonly company: string
  /** The public account number. */
  readonly uid: string
  /** E-mail address or phone number; empty for a demo account. */
  readonly holder: string
  readonly isDemo: boolean
  readonly currency: string
  readonly generatedAt: number
}

/** The code of an instrument, and the decimals of its prices. */
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
  const writer = { ...reader, t }
  return {
    tag,
    title: t('title'),
    company: head.company,
    facts: [
      [t('account'), `${head.uid} · ${t(head.isDemo ? 'demo' : 'real')}`],
      ...(head.holder === '' ? [] : [[t('holder'), head.holder] as const]),
      [t('period'), `${text.day(statement.from)} – ${text.day(statement.to - DAY_MS)}`],
      [t('currency'), head.currency],
      [t('generated'), text.moment(head.generatedAt)],
    ],
    tables: [summaryOf(statement, writer), movementsOf(statement, writer), positionsOf(statement, writer)],
    note: t('note'),
    pageOf: t('pageOf'),
  }
}

type Writer = Reader & { readonly t: Translate }

const start = (title: string): Column => ({ title, width: 0, align: 'start' })
const wide = (title: string): Column => ({ title, width: null, align: 'start' })
const end = (title: string): Column => ({ title, width: 0, align: 'end' })
const cellOf = ({ main, rest }: FigureText): Cell => ({ text: main, rest })

function summaryOf({ opening, closing, sums }: Statement, { t, text }: Writer): Table {
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
    title: t('summary'),
    empty: '',
    columns: [wide(''), end(t('available')), end(t('frozen'))],
    rows: [held(t('opening'), opening), ...moved, held(t('closing'), closing)],
  })
}

function movementsOf({ movements }: Statement, writer: Writer): Table {
  const { t, text } = writer
  const row = (movement: StatementMovement): Cell[] => [
    { text: String(movement.id) },
    { text: text.moment(movement.at) },
    memoOf(movement, writer),
    { text: movement.receipt === null ? '' : String(movement.receipt) },
    cellOf(text.change(movement.change.available)),
    cellOf(text.change(movement.change.frozen)),
    cellOf(text.money(movement.after.available)),
  ]
  return fitted({
    title: t('movements'),
    empty: t('noMovement'),
    columns: [
      start(t('number')),
      start(t('time')),
      wide(t('what')),
      end(t('receipt')),
      end(t('available')),
      end(t('frozen')),
      end(t('balance')),
    ],
    rows: movements.map(row),
  })
}

/** The description of a movement as in the records; below it its case number, what was sent at which rate, and its memo. */
export function memoOf(
  { kind, orderId, caseId, memo, arrived }: StatementMovement,
  { translate, t }: Pick<Writer, 'translate' | 't'>,
): Required<Pick<Cell, 'text' | 'notes'>> {
  const number = caseId === null ? '' : t('case', { id: String(caseId) })
  const sent = arrived
    ? t('sent', {
        amount: decimalText(fromUnits(arrived.amount, SENT_DECIMALS)),
        currency: arrived.currency,
        rate: rateText(arrived.rate),
      })
    : ''
  return {
    text: translate(`memo.${kind}`, { orderId: String(orderId ?? '') }),
    notes: [number, sent, memo].filter((part) => part !== ''),
  }
}

function positionsOf({ positions }: Statement, { t, text, instrumentOf }: Writer): Table {
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
    title: t('positions'),
    empty: t('noPosition'),
    columns: [
      start(t('order')),
      start(t('instrument')),
      wide(t('receipts')),
      start(t('opened')),
      start(t('closed')),
      end(t('fee')),
      end(t('result')),
    ],
    rows: positions.map(row),
  })
}

/** A table cell: its text, the digits that are set smaller, and the parts of its second line. */
type Cell = {
  readonly text: string
  readonly rest?: string
  readonly notes?: readonly string[]
  readonly isStrong?: boolean
}

type Column = {
  readonly title: string
  readonly align: 'start' | 'end'
  /** In points; null takes what the others leave. */
  readonly width: number | null
}

type Table = {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** The text shown if there are no rows. */
  readonly empty: string
}

/** Font sizes of the template, in points. */
const TEXT_PT = 8
const NOTE_PT = 7
const REST_PT = 6
/** The padding on both sides of a cell, and 1 pt to spare. */
const INSET_PT = 9
/** Width of a glyph for its size: full-width (Chinese, Japanese, Korean), and the widest of any other digit or letter of a date. */
const FULL_WIDTH = 1.02
const OTHER_WIDTH = 0.6
const IS_FULL_WIDTH = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/
const HAS_NO_WIDTH = /[\u2066-\u2069\p{Mn}]/u

const lengthOf = (text: string, size: number): number => {
  let length = 0
  for (const letter of text)
    if (!HAS_NO_WIDTH.test(letter)) length += size * (IS_FULL_WIDTH.test(letter) ? FULL_WIDTH : OTHER_WIDTH)
  return length
}

const widthOf = ({ text, rest = '', notes = [] }: Cell): number =>
  Math.max(lengthOf(text, TEXT_PT) + lengthOf(rest, REST_PT), lengthOf(notes.join(' · '), NOTE_PT))

/**
 * Gives each column the width of its widest cell, except the one that takes the rest. Estimated here, because letting
 * the library measure thousands of rows takes three times as long.
 */
const fitted = (table: Table): Table => ({
  ...table,
  columns: table.columns.map((column, at) => {
    if (column.width === null) return column
    const widths = table.rows.map((row) => (row[at] ? widthOf(row[at]) : 0))
    const widest = widths.reduce((most, width) => Math.max(most, width), lengthOf(column.title, NOTE_PT))
    return { ...column, width: Math.ceil(widest + INSET_PT) }
  }),
})

/** A figure, split where the digits begin that are set smaller. */
type FigureText = { readonly main: string; readonly rest: string }

/** Formats figures and times for a language. */
type StatementText = {
  /** An amount with all its digits. */
  money(units: bigint): FigureText
  /** The same with a plus sign above zero; empty for zero. */
  change(units: bigint): FigureText
  /** A number in units of 10^-decimals. */
  decimal(units: bigint | number, decimals: number): string
  /** A time in UTC, to the minute. `at`: epoch ms. */
  moment(at: number): string
  /** A date in UTC. */
  day(at: number): string
}

/** A minus sign, as wide as a digit, in place of a hyphen. */
const MINUS = '\u2212'
/** Decimals at full size; the rest is set smaller. */
const COARSE_DECIMALS = 2
/** Dates read from left to right in all languages. */
const inOnePiece = (text: string): string => `\u2066${withoutMarks(text).replace(/\s+/g, '\u00a0')}\u2069`

/** Uses Latin digits and the Gregorian calendar in every language, as the screens do. */
export function statementText(tag: string): StatementText {
  const locale = formatTag(tag)
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const point =
    new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const utc = { timeZone: 'UTC', hourCycle: 'h23' } as const
  const moment = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'medium' })

  const decimal: StatementText['decimal'] = (units, decimals) => {
    const value = BigInt(units)
    const [digits = '', fraction] = formatDecimal(value < 0n ? -value : value, decimals).split('.')
    return `${value < 0n ? MINUS : ''}${whole.format(BigInt(digits))}${fraction === undefined ? '' : point + fraction}`
  }
  const figure = (text: string): FigureText => {
    const cutAt = text.length - (MONEY_DECIMALS - COARSE_DECIMALS)
    return { main: text.slice(0, cutAt), rest: text.slice(cutAt) }
  }
  return {
    decimal,
    money: (units) => figure(decimal(units, MONEY_DECIMALS)),
    change: (units) =>
      units === 0n
        ? { main: '', rest: '' }
        : figure((units > 0n ? '+' : '') + decimal(units, MONEY_DECIMALS)),
    moment: (at) => inOnePiece(moment.format(at)),
    day: (at) => inOnePiece(day.format(at)),
  }
}
