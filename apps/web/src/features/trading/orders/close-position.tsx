import type { OrderView } from '@fairlot/contract'
import {
  checkPart,
  formatDecimal,
  type Lots,
  LOTS_DECIMALS,
  money,
  type Money,
  type PartRange,
  partRange,
  type RejectionCode,
} from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount, useAccountFigures, useMarkToMarket } from '../../../live/account/account.ts'
import { refreshInstruments, useInstrument } from '../../../live/market/instruments.ts'
import { closeEverything, closePosition, orderPath } from '../../../live/account/orders.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { lotsText, priceText, useCloseBlock } from './order-labels.tsx'
import { PillButton } from '@fairlot/ui/controls/pill-button.tsx'
import { useState } from 'react'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Chip } from '@fairlot/ui/controls/chip.tsx'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import { lotText, parseLots, valueOf } from '../lots-and-prices.ts'
import { X } from 'lucide-react'
import { useMarketHalt } from '../../../live/basic-info.ts'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'

/** Profit of a part of a position, in proportion to its lots. */
const shareOf = (profit: Money, part: Lots, positionLots: Lots): Money =>
  money((profit * BigInt(part)) / BigInt(positionLots))

/** Refreshes account and market: after a missing response the change may have happened, and a rejection may mean a closed market. */
export function refreshAfterFailure(): void {
  void refreshAccount()
  refreshInstruments()
}

/** Lots to close, null for all, and the position's lots at the time of the tap. */
type Closing = { readonly lots: Lots | null; readonly positionLots: Lots }

/**
 * Closes a position or a part of it and shows the price and the booked profit. Null lots close all. Stays busy until the lists are
 * refreshed: a second tap on half of the old lots would close the rest.
 */
function useClosing(order: OrderView, onEnded?: () => void) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ lots }: Closing) => closePosition({ orderId: order.id, lots }),
    // A push may have updated the order already, so the remaining lots follow from those at the tap.
    onSuccess: (ended, { positionLots }) => {
      const booked = {
        price: asName(priceText(figures, ended.currentPrice, ended)),
        profit: asName(figures.money(ended.profit, { sign: 'always' })),
      }
      const isPart = ended.id !== order.id
      const left = positionLots - ended.lots
      showToast({
        text: isPart
          ? t('closedPart', {
              ...booked,
              lots: asName(lotsText(figures, ended.lots)),
              left: asName(lotsText(figures, left)),
            })
          : t('closed', booked),
        to: orderPath(ended),
      })
      onEnded?.()
      return refreshAccount()
    },
    onError: refreshAfterFailure,
  })
  const close = (lots: Lots | null, options: { readonly onError?: () => void } = {}) =>
    mutate({ lots, positionLots: order.lots }, options)
  return { close, isClosing: isPending }
}

const HALF = 50

/** Closes half of a position, where possible, or all of it, with one tap. */
export function QuickClose({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const isBlocked = useCloseBlock(order) !== null
  const half = partOf(order.lots, HALF, useLotRule(order))
  const { close, isClosing } = useClosing(order)
  const named = (lots: Lots) => ({
    side: order.side,
    code: order.instrument.showCode,
    lots: lotsText(figures, lots),
  })
  return (
    <div className="flex gap-2">
      {half !== null && (
        <PillButton
          aria-label={t('halfNamed', named(half))}
          disabled={isBlocked}
          isBusy={isClosing}
          onClick={() => close(half)}
        >
          {t('half')}
        </PillButton>
      )}
      <PillButton
        aria-label={t('closeNamed', named(order.lots))}
        disabled={isBlocked}
        isBusy={isClosing}
        onClick={() => close(null)}
      >
        {t('close')}
      </PillButton>
    </div>
  )
}

type CloseActionProps = {
  order: OrderView
  /** Null closes the whole position. */
  part: Lots | null
  isDisabled: boolean
  onDone: () => void
}

/** Closes a position, or half of it, after a confirmation with the profit. */
export function CloseAction({ order, part, isDisabled, onDone }: CloseActionProps) {
  const t = useTranslations('order')
  const [isConfirming, setIsConfirming] = useState(false)
  const { close, isClosing } = useClosing(order, () => {
    setIsConfirming(false)
    onDone()
  })
  const { label, text } = useCloseTexts(order, part)
  const code = order.instrument.showCode
  return (
    <>
      <Button
        tone={part === null ? 'ink' : 'outline'}
        disabled={isDisabled}
        onClick={() => setIsConfirming(true)}
      >
        {part === null ? label : t('half')}
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={t(part === null ? 'closeTitle' : 'halfTitle', { code: asName(code) })}
        text={text}
        confirmLabel={label}
        cancelLabel={t('keepOpen')}
        isBusy={isClosing}
        onConfirm={() => close(part, { onError: () => setIsConfirming(false) })}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}

function useCloseTexts(order: OrderView, part: Lots | null) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const current = useMarkToMarket(order)
  const lots = part ?? order.lots
  const profit = asName(figures.money(shareOf(current.profit, lots, order.lots), { sign: 'always' }))
  const values = {
    side: order.side,
    lots: lotsText(figures, lots),
    left: lotsText(figures, order.lots - lots),
    price: asName(priceText(figures, current.currentPrice, order)),
    profit,
  }
  return part === null
    ? { label: t('closeWith', { profit }), text: t('closeText', values) }
    : { label: t('closeLots', { lots: asName(values.lots) }), text: t('partText', values) }
}

type PartFormProps = { order: OrderView; range: PartRange; onDone: () => void }

/** Closes a part of a position: a percentage of it, or a number of lots. */
export function PartialCloseForm({ order, range, onDone }: PartFormProps) {
  const t = useTranslations('order')
  const blockText = useCloseBlock(order)
  const rule = useLotRule(order)
  const { close, isClosing } = useClosing(order, onDone)
  const [text, setText] = useKeptState(
    `part ${order.id}`,
    lotText(partOf(order.lots, 50, rule) ?? range.min, rule.lotStep),
  )
  const part = valueOf(parseLots(text))
  const problem = partProblem(part, order.lots, rule)
  const written = (lots: Lots) => lotText(lots, rule.lotStep)
  return (
    <form
      noValidate
      className="flex flex-col gap-3 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null) close(part)
      }}
    >
      <h3 className="text-title font-bold">
        {withNames(t('partTitle', { code: asName(order.instrument.showCode) }))}
      </h3>
      <Shares order={order} rule={rule} part={part} onChoose={(lots) => setText(written(lots))} />
      <NumberStepper
        label={t('partLots')}
        decreaseLabel={t('partFewer')}
        increaseLabel={t('partMore')}
        value={text}
        step={formatDecimal(rule.lotStep, LOTS_DECIMALS)}
        min={written(range.min)}
        max={written(range.max)}
        problem={usePartProblemText(problem, rule, range)}
        onChange={setText}
      />
      <PartOutcome order={order} part={problem === null ? part : null} />
      {blockText !== null && <p className="text-note text-second">{blockText}</p>}
      <ButtonRow>
        <Button tone="outline" onClick={onDone}>
          {t('back')}
        </Button>
        <Button type="submit" isBusy={isClosing} disabled={problem !== null || blockText !== null}>
          {t('closeLots', { lots: asName(text) })}
        </Button>
      </ButtonRow>
    </form>
  )
}

type SharesProps = { order: OrderView; rule: LotRule; part: Lots | null; onChoose: (lots: Lots) => void }

function Shares({ order, rule, part, onChoose }: SharesProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  return (
    <div role="group" aria-label={t('shares')} className="flex flex-wrap gap-2">
      {SHARES.map((percent) => {
        const lots = partOf(order.lots, percent, rule)
        return (
          lots !== null && (
            <Chip key={percent} isSelected={part === lots} onSelect={() => onChoose(lots)}>
              <bdi dir="ltr" translate="no">
                {figures.percent(`${percent}`, { shown: 0 })}
              </bdi>
            </Chip>
          )
        )
      })}
    </div>
  )
}

/** Result of closing this part at the current price; nothing while it cannot be closed. */
function PartOutcome({ order, part }: { order: OrderView; part: Lots | null }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { currentPrice, profit } = useMarkToMarket(order)
  if (part === null) return null
  return (
    <p className="text-note text-second">
      {withNames(
        t('partText', {
          lots: lotsText(figures, part),
          left: lotsText(figures, order.lots - part),
          price: asName(priceText(figures, currentPrice, order)),
          profit: asName(figures.money(shareOf(profit, part, order.lots), { sign: 'always' })),
        }),
      )}
    </p>
  )
}

function usePartProblemText(
  problem: ReturnType<typeof partProblem>,
  { lotStep }: LotRule,
  { min, max }: PartRange,
): string | null {
  const t = useTranslations('order')
  const { figures } = useLocale()
  if (problem === null) return null
  return t(`partProblem.${problem}`, {
    min: lotsText(figures, min),
    max: lotsText(figures, max),
    step: asName(lotsText(figures, lotStep)),
  })
}

/** Lot step and smallest lots of an instrument. */
export type LotRule = { readonly lotStep: Lots; readonly lotMin: Lots }

/** The parts shown as chips, in percent. */
export const SHARES = [25, 50, 75] as const

/** A percentage of a position, rounded to the nearest lots that can be closed; null when no part can be. */
export function partOf(positionLots: Lots, percent: number, rule: LotRule): Lots | null {
  const range = partRange(rule, positionLots)
  if (!range) return null
  const nearest = Math.round((positionLots * percent) / (100 * rule.lotStep)) * rule.lotStep
  return Math.min(Math.max(nearest, range.min), range.max) as Lots
}

type PartProblem = 'unreadable' | 'tooSmall' | 'tooLarge' | 'offStep'

const PROBLEMS: { readonly [Code in RejectionCode]?: PartProblem } = {
  lotsBelowMinimum: 'tooSmall',
  lotsAboveMaximum: 'tooLarge',
  remainderTooSmall: 'tooLarge',
  closableOnlyWhole: 'tooLarge',
  lotsOffStep: 'offStep',
}

/** Why lots cannot be closed as a part of a position, by the engine's rule; null when they can. The whole position is valid. */
export function partProblem(part: Lots | null, positionLots: Lots, rule: LotRule): PartProblem | null {
  if (part === null) return 'unreadable'
  if (part === positionLots) return null
  const rejection = checkPart(rule, positionLots, part)
  return rejection && (PROBLEMS[rejection.rejected] ?? 'unreadable')
}

/** The lot rule of an order's instrument. The order knows the step; the smallest size comes from the list. */
export function useLotRule({ instrument }: Pick<OrderView, 'instrument'>): LotRule {
  const listing = useInstrument(instrument.id)
  return { lotStep: instrument.lotStep, lotMin: listing?.lotMin ?? instrument.lotStep }
}

type CloseAllProps = {
  /** The positions loaded so far. */
  orders: readonly OrderView[]
  /** All positions there are. */
  total: number
}

/** Closes every position at once, and shows which stay open and why. */
export function CloseAll({ orders, total }: CloseAllProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const profit = useAccountFigures()?.profit
  const isHalted = useMarketHalt() !== null
  const [isConfirming, setIsConfirming] = useState(false)
  const { closing, left, forget } = useClosingAll(orders, () => setIsConfirming(false))
  return (
    <>
      {left && total > 0 && <RemainingNotice {...stillRemaining(left, orders)} onForget={forget} />}
      {total > 0 && (
        <div className="-my-1 flex justify-end">
          <PillButton disabled={isHalted} onClick={() => setIsConfirming(true)}>
            {t('closeAll')}
          </PillButton>
        </div>
      )}
      <Confirm
        isOpen={isConfirming}
        title={t('closeAllTitle', { count: total })}
        text={t('closeAllText', {
          count: total,
          profit: profit === undefined ? '–' : asName(figures.money(profit, { sign: 'always' })),
        })}
        confirmLabel={t('closeAll')}
        cancelLabel={t('keepAllOpen')}
        isBusy={closing.isPending}
        onConfirm={() => closing.mutate()}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}

function useClosingAll(orders: readonly OrderView[], onSettled: () => void) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const [left, setLeft] = useState<RemainingPositions | null>(null)
  const closing = useMutation({
    mutationFn: closeEverything,
    onSuccess: (ended) => {
      const booked = money(ended.orders.reduce((sum, { profit }) => sum + profit, 0n))
      const count = ended.orders.length
      showToast({
        text: t('closedAll', { count, profit: asName(figures.money(booked, { sign: 'always' })) }),
        to: '/order?list=history',
      })
      setLeft(remainingPositions(orders, ended.orders, ended.remainingCount))
      if (ended.remainingCount > 0) refreshInstruments()
    },
    onError: refreshAfterFailure,
    onSettled,
  })
  return { closing, left, forget: () => setLeft(null) }
}

type RemainingNoticeProps = { count: number; orders: readonly OrderView[]; onForget: () => void }

/** Lists positions that stay open. Shown until dismissed, until the last one has closed, or until the list is left. */
function RemainingNotice({ count, orders, onForget }: RemainingNoticeProps) {
  const t = useTranslations()
  if (count <= 0) return null
  const named = [...new Map(orders.map((order) => [order.instrument.id, order])).values()]
  return (
    <section role="status" className="flex gap-2 rounded-card bg-brass-tint py-1 ps-3.5 text-note">
      <div className="min-w-0 flex-1 py-2">
        <p className="font-bold">{t('order.leftOpen', { count })}</p>
        <ul>
          {named.map((order) => (
            <ReasonStillOpen key={order.instrument.id} order={order} />
          ))}
        </ul>
      </div>
      <IconButton icon={X} label={t('app.close')} onClick={onForget} />
    </section>
  )
}

function ReasonStillOpen({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  return (
    <li>
      <bdi translate="no" className="font-medium">
        {order.instrument.showCode}
      </bdi>
      : {useCloseBlock(order) ?? t('canCloseAgain')}
    </li>
  )
}

type Orders = readonly OrderView[]

/** Positions that "close all" has not closed. */
export type RemainingPositions = {
  /** Of all positions, loaded or not. */
  readonly count: number
  /** Of those that were loaded. */
  readonly ids: ReadonlySet<number>
}

/** The loaded positions that are not among the `ended` ones, when `count` of all stay open; null when none does. */
export function remainingPositions(loaded: Orders, ended: Orders, count: number): RemainingPositions | null {
  if (count === 0) return null
  const endedIds = new Set(ended.map(({ id }) => id))
  return { count, ids: new Set(loaded.map(({ id }) => id).filter((id) => !endedIds.has(id))) }
}

/** The remaining positions that are still open; some may have closed meanwhile. */
export function stillRemaining(
  { count, ids }: RemainingPositions,
  loaded: Orders,
): { count: number; orders: Orders } {
  const orders = loaded.filter(({ id }) => ids.has(id))
  return { count: count - (ids.size - orders.length), orders }
}
