import type { InstrumentListing } from '@fairlot/contract'
import { fromTicks, markUpTicks, type Money, type Side } from '@fairlot/core'
import { ChevronDown } from 'lucide-react'
import { type PointerEvent, use, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { writtenNumber } from '@fairlot/ui/forms/typed-number.ts'
import { NumberWritingContext } from '@fairlot/ui/forms/use-typed-number.ts'
import { FadingScroll } from '@fairlot/ui/layout/fading-scroll.tsx'
import { iconButtonClass } from '@fairlot/ui/controls/icon-button.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { TOAST_OBSTACLE } from '@fairlot/ui/layout/toast-obstacle.ts'
import { AnnouncedLine } from '../terms/announced-line.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import {
  hasFieldProblem,
  type MarketProblem,
  maxLots,
  type OrderCost,
  type SideSummary,
} from './evaluate-ticket.ts'
import { TicketForm } from './ticket-form.tsx'
import { type Ticket, useTicket, type TicketView } from './use-ticket.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { BigFigure, type FigureParts } from '@fairlot/ui/figures/big-figure.tsx'
import { ExactFigure } from '@fairlot/ui/figures/exact-figure.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { lotText } from '../lots-and-prices.ts'
import { marketNow } from '../../../live/market/market-clock.ts'

type TicketSheetProps = {
  listing: InstrumentListing
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** The ticket at the bottom of a phone's screen. Folded, it shows its two buttons and the size they trade. */
export const TicketSheet = (props: TicketSheetProps) => <FoldingTicket key={props.listing.id} {...props} />

function FoldingTicket({ listing, isFolded, onFold }: TicketSheetProps) {
  const t = useTranslations('ticket')
  const ticket = useTicket(listing, () => onFold(false))
  const { view } = ticket
  const riskWarning = useBasicInfo()?.riskWarning
  const press = (side: Side) => {
    // A problem of a field is shown at the field, so the form must be open.
    if (isFolded && hasFieldProblem(view.problems, side)) onFold(false)
    ticket.press(side)
  }
  return (
    <section
      aria-label={t('title')}
      className={classNames(
        'flex min-h-0 flex-col gap-2 rounded-t-sheet bg-surface px-4 pb-3 max-[22.5rem]:gap-1 max-[22.5rem]:pb-2 [@media(height<45rem)]:gap-1 [@media(height<45rem)]:pb-2 landscape-phone:justify-end landscape-phone:rounded-t-none landscape-phone:rounded-s-sheet',
        isFolded ? 'landscape-phone:w-64' : 'landscape-phone:w-88',
      )}
    >
      {isFolded ? (
        <UnfoldHandle onUnfold={() => onFold(false)} ticket={ticket} />
      ) : (
        // On a short screen the fields scroll, so that the buttons stay in sight.
        <FadingScroll className="flex flex-col gap-2 [@media(height<45rem)]:gap-1">
          <div data-of="instrument" className="relative pt-3">
            <Grip className="absolute inset-x-0 top-1 mx-auto" />
            <TicketForm view={view} columns={2} fold={<FoldButton onFold={() => onFold(true)} />} />
          </div>
          <div data-of="visitor" className="flex flex-col gap-1">
            <CostLine
              cost={view.summary.cost}
              freeMargin={view.context.freeMargin}
              isAffordable={view.summary.isAffordable}
            />
            <SideFigures view={view} listing={listing} />
          </div>
        </FadingScroll>
      )}
      <AnnouncedLine instrumentId={listing.id} />
      <TicketNotices ticket={ticket} listing={listing} hasFields={!isFolded} />
      <div {...TOAST_OBSTACLE} data-of="visitor" className="flex flex-col gap-2">
        <TicketButtons ticket={{ ...ticket, press }} listing={listing} />
      </div>
      {!isFolded && riskWarning && <p className="text-tiny text-second">{riskWarning}</p>}
    </section>
  )
}

/** Shortest movement that counts as a swipe. */
const SWIPE_PX = 24

/** Handlers for a swipe that begins on an element, up (`onUp`) or down (`onDown`), and for a press. */
function useSwipe({ onUp, onDown }: { onUp?: () => void; onDown?: () => void }, onPress: () => void) {
  const start = useRef<number | null>(null)
  const isSwipe = useRef(false)
  return {
    onClick: () => {
      // The browser reports a click after a swipe.
      if (!isSwipe.current) onPress()
      isSwipe.current = false
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = event.clientY
      isSwipe.current = false
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const moved = start.current === null ? 0 : event.clientY - start.current
      start.current = null
      isSwipe.current = Math.abs(moved) > SWIPE_PX
      if (isSwipe.current) (moved > 0 ? onDown : onUp)?.()
    },
  }
}

const Grip = ({ className }: { className?: string }) => (
  <span className={classNames('block h-1 w-10 rounded-full bg-line', className)} />
)

/** Folds the ticket by a press or a swipe down. */
function FoldButton({ onFold }: { onFold: () => void }) {
  const t = useTranslations('ticket')
  return (
    <button
      type="button"
      aria-expanded
      aria-label={t('fold')}
      title={t('fold')}
      {...useSwipe({ onDown: onFold }, onFold)}
      className={classNames(iconButtonClass(), 'touch-none text-second')}
    >
      <Icon of={ChevronDown} />
    </button>
  )
}

/** The bar of the folded ticket: opens by a tap or a swipe up, and shows the size that the buttons trade. */
function UnfoldHandle({ onUnfold, ticket }: { onUnfold: () => void; ticket: Ticket }) {
  const t = useTranslations('ticket')
  const { point } = use(NumberWritingContext)
  const { lots, leverage } = ticket.view.state
  return (
    <button
      type="button"
      aria-expanded={false}
      aria-label={t('unfold')}
      {...useSwipe({ onUp: onUnfold }, onUnfold)}
      className="-mx-4 flex min-h-11 touch-none flex-col items-center gap-1.5 pt-2"
    >
      <Grip />
      {leverage !== null && (
        <span className="text-note font-medium text-second">
          {t('terms', { lots: writtenNumber(lots, point), leverage })}
        </span>
      )}
    </button>
  )
}

type TicketPanelProps = { listing: InstrumentListing }

/** The ticket as a column beside the chart. */
export const TicketPanel = ({ listing }: TicketPanelProps) => <Panel key={listing.id} listing={listing} />

function Panel({ listing }: TicketPanelProps) {
  const t = useTranslations('ticket')
  const ticket = useTicket(listing)
  const riskWarning = useBasicInfo()?.riskWarning
  return (
    <Card>
      <section aria-label={t('title')} className="flex flex-col gap-3">
        <TicketForm view={ticket.view} columns={1} />
        <CostList view={ticket.view} />
        <SideFigures view={ticket.view} listing={listing} />
        <AnnouncedLine instrumentId={listing.id} />
        <TicketNotices ticket={ticket} listing={listing} hasFields />
        <TicketButtons ticket={ticket} listing={listing} />
        {riskWarning && <p className="text-tiny text-second">{riskWarning}</p>}
      </section>
    </Card>
  )
}

/** Margin and fee of the order, and the free margin. */
function CostList({ view: { summary, context } }: { view: TicketView }) {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { cost } = summary
  return (
    <DefinitionList
      rows={[
        { term: t('margin'), value: cost ? <ExactFigure parts={figures.exact(cost.margin)} /> : '–' },
        {
          term: t('fee'),
          value: (
            <bdi dir="ltr" translate="no">
              {cost ? figures.cost(cost.fee) : '–'}
            </bdi>
          ),
        },
        ...(context.freeMargin === null
          ? []
          : [
              {
                term: t('freeMargin'),
                value: (
                  <bdi dir="ltr" translate="no">
                    {figures.money(context.freeMargin)}
                  </bdi>
                ),
              },
            ]),
      ]}
    />
  )
}

/** Sell and Buy of a ticket, with live prices for a market order, with kind and target for a pending one. */
function TicketButtons({ ticket, listing }: { ticket: Ticket; listing: InstrumentListing }) {
  const { view } = ticket
  const content = useSideContent(ticket, listing)
  return (
    <SideButtons
      sell={content('sell')}
      buy={content('buy')}
      spread={useSpread(ticket)}
      isStale={view.context.isStale}
      onPress={ticket.press}
    />
  )
}

function useSideContent(
  ticket: Ticket,
  { priceDecimals }: InstrumentListing,
): (side: Side) => SideButtonContent {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { summary, state, problems } = ticket.view
  return (side) => {
    const { kind, price } = summary[side]
    const figure = price === null ? '–' : figures.figure(price, priceDecimals)
    const waits = kind === 'limit' ? 'limitText' : 'stopText'
    return {
      label: kind === 'market' ? t(side) : t('kind', { side, kind }),
      accessibleText:
        kind === 'market'
          ? t('send', { side, lots: state.lots, price: figure })
          : t(waits, { side, price: figure }),
      price: price === null ? null : figures.parts(fromTicks(price, priceDecimals), priceDecimals),
      isDisabled: problems.market !== null || ticket.sending !== null,
      isBusy: ticket.sending === side,
    }
  }
}

/** The spread in pips where prices have tenths of them, otherwise as a price. */
function useSpread({ view, market }: Ticket): { text: string; spoken: string } | null {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { spread } = view.summary
  if (spread === null || view.state.mode === 'pending') return null
  const { priceDecimals } = market.instrument
  const hasPips = priceDecimals === 3 || priceDecimals === 5
  const text = figures.figure(spread, hasPips ? 1 : priceDecimals)
  return { text, spoken: t('spread', { spread: text }) }
}

export type SideButtonContent = {
  readonly label: string
  /** For screen readers in place of label and price: side, size and price in one sentence. */
  readonly accessibleText: string
  readonly price: FigureParts | null
  readonly isDisabled: boolean
  readonly isBusy: boolean
}

type SideButtonsProps = {
  sell: SideButtonContent
  buy: SideButtonContent
  /** Written between the two; null hides it. */
  spread: { text: string; spoken: string } | null
  /** The prices are too old to fill at. */
  isStale: boolean
  onPress: (side: Side) => void
}

/** The two buttons of a ticket, each with its price, and the spread between them. */
const SideButtons = ({ sell, buy, spread, isStale, onPress }: SideButtonsProps) => (
  // Target of a skip link.
  <div data-skip="ticket" tabIndex={-1} className="relative grid grid-cols-2 gap-2 outline-none">
    <SideButton side="sell" content={sell} isStale={isStale} onPress={onPress} />
    <SideButton side="buy" content={buy} isStale={isStale} onPress={onPress} />
    {spread && (
      <span
        title={spread.spoken}
        // On the upper edge: in the middle it would lie over the digits of a long price. Lower on a short screen, where the
        // line above is close.
        className="pointer-events-none absolute inset-x-0 top-0 mx-auto w-fit min-w-8 -translate-y-1/2 rounded-[9px] bg-surface px-1.5 py-1 [@media(height<45rem)]:-translate-y-1/4 [@media(height<45rem)]:py-0.5 text-center text-tiny font-bold text-second"
      >
        <bdi dir="ltr" translate="no">
          {spread.text}
        </bdi>
      </span>
    )}
  </div>
)

type SideButtonProps = {
  side: Side
  content: SideButtonContent
  isStale: boolean
  onPress: (side: Side) => void
}

const tones = { buy: 'bg-up', sell: 'bg-down' }

const SideButton = ({ side, content, isStale, onPress }: SideButtonProps) => (
  <button
    type="button"
    aria-busy={content.isBusy}
    disabled={content.isDisabled}
    onClick={() => onPress(side)}
    className={classNames(
      'flex min-h-[3.75rem] min-w-0 flex-col items-center justify-center rounded-button px-4 py-1.5 text-on-signal transition-[scale,opacity] select-none active:not-disabled:scale-[0.98]',
      tones[side],
      content.isDisabled && 'opacity-45',
      content.isBusy && 'animate-pulse',
    )}
  >
    <span className="sr-only">{content.accessibleText}</span>
    <span aria-hidden className="max-w-full truncate text-note font-bold">
      {content.label}
    </span>
    <span aria-hidden className={classNames('@container w-full leading-6', isStale && 'opacity-70')}>
      {content.price ? <BigFigure parts={content.price} size="button" /> : '–'}
    </span>
  </button>
)

type SideFiguresProps = { view: TicketView; listing: InstrumentListing }

/** Figures that differ between selling and buying, each above its button: daily swap, mark-up and stop-out price. */
function SideFigures({ view: { summary, context }, listing }: SideFiguresProps) {
  const t = useTranslations('ticket')
  const money = useSwapText()
  const stopOut = useStopOutText(listing)
  const markUp = useMarkUpText(context)
  const { sell, buy } = summary
  return (
    <dl className="flex flex-col gap-0.5 text-note">
      <Line name={useSwapName(listing)} sell={money(sell.dailySwap)} buy={money(buy.dailySwap)} />
      {markUp && <Line name={t('markUp')} sell={markUp.sell} buy={markUp.buy} />}
      {(sell.stopOut || buy.stopOut) && (
        <Line name={t('stopOutAt')} sell={stopOut(sell.stopOut)} buy={stopOut(buy.stopOut)} />
      )}
    </dl>
  )
}

function Line({ name, sell, buy }: { name: string; sell: string; buy: string }) {
  const t = useTranslations('ticket')
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-baseline gap-x-2">
      <dt className="col-start-2 row-start-1 text-center text-second">{name}</dt>
      <dd className="col-start-1 row-start-1 font-bold">
        <span className="sr-only">{t('sell')} </span>
        <bdi dir="ltr" translate="no">
          {sell}
        </bdi>
      </dd>
      <dd className="col-start-3 row-start-1 text-end font-bold">
        <span className="sr-only">{t('buy')} </span>
        <bdi dir="ltr" translate="no">
          {buy}
        </bdi>
      </dd>
    </div>
  )
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The label of the daily swap, with the day of the triple swap where there is one and the swap is not zero. */
function useSwapName({ tripleSwapDay, swapBuy, swapSell }: InstrumentListing): string {
  const t = useTranslations('ticket')
  const { moments } = useLocale()
  if (tripleSwapDay === 'daily' || (swapBuy === 0 && swapSell === 0)) return t('night')
  return t('nightTriple', { day: moments.weekday(WEEKDAYS.indexOf(tripleSwapDay)) })
}

/** Mark-up of both sides as a price; null without a price or a mark-up. */
function useMarkUpText({ instrument, quote }: TicketView['context']): { sell: string; buy: string } | null {
  const { figures } = useLocale()
  const ticks = quote && instrument.markUp ? markUpTicks(instrument, quote) : 0
  if (ticks === 0) return null
  const text = (value: number) => figures.figure(value, instrument.priceDecimals, { sign: 'always' })
  return { sell: text(-ticks), buy: text(ticks) }
}

function useSwapText(): (amount: Money | null) => string {
  const { figures } = useLocale()
  return (amount) => (amount === null ? '–' : figures.cost(amount, { sign: 'always' }))
}

function useStopOutText({ priceDecimals }: InstrumentListing): (preview: SideSummary['stopOut']) => string {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  return (preview) => {
    if (preview === null) return '–'
    return preview.price === null ? t('none') : figures.figure(preview.price, priceDecimals)
  }
}

type CostLineProps = { cost: OrderCost | null; freeMargin: bigint | null; isAffordable: boolean }

/** Margin and fee of the order, and the free margin, in one line. */
function CostLine({ cost, freeMargin, isAffordable }: CostLineProps) {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-note">
      <Part term={t('margin')}>{cost ? <ExactFigure parts={figures.exact(cost.margin)} /> : '–'}</Part>
      <Part term={t('fee')}>
        {cost ? (
          <bdi dir="ltr" translate="no">
            {figures.cost(cost.fee)}
          </bdi>
        ) : (
          '–'
        )}
      </Part>
      {freeMargin !== null && (
        <Part term={t('freeMargin')}>
          <bdi dir="ltr" translate="no" className={classNames(!isAffordable && 'text-danger')}>
            {figures.money(freeMargin)}
          </bdi>
        </Part>
      )}
    </dl>
  )
}

const Part = ({ term, children }: { term: string; children: React.ReactNode }) => (
  <div className="flex items-baseline gap-1.5 whitespace-nowrap">
    <dt className="text-second">{term}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

type TicketNoticesProps = {
  ticket: Ticket
  listing: InstrumentListing
  /** Whether the fields are visible; if not, a rejection of a field is shown here. */
  hasFields: boolean
}

/** Why the order cannot be placed: the market, the free margin, or a rejection of the server. One at a time. */
function TicketNotices({ ticket, listing, hasFields }: TicketNoticesProps) {
  const { state, problems, summary, context } = ticket.view
  const { staleSeconds, quote } = ticket.market
  const isRateComing = useBasicInfo() === undefined && quote !== null
  // The account currency is still loading, so the conversion is about to become known.
  if (problems.market === 'noPrice' && isRateComing) return null
  if (problems.market !== null) {
    return (
      <MarketNotice
        problem={problems.market}
        nextOpenAt={listing.nextOpenAt}
        reason={context.haltReason ?? context.reduceReason}
        staleSeconds={staleSeconds}
      />
    )
  }
  if (state.rejection && !(hasFields && state.rejection.field))
    return <ProblemNotice text={state.rejection.text} />
  return summary.isAffordable ? null : <NotEnoughFunds view={ticket.view} />
}

const ProblemNotice = ({ text }: { text: string }) => (
  <p role="alert" className="rounded-field bg-danger-tint px-3 py-2 text-note">
    {withNames(text)}
  </p>
)

function NotEnoughFunds({ view: { state, summary, context } }: { view: TicketView }) {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const max = maxLots(summary, state, context)
  const { lotStep, lotMin } = context.instrument
  const money = {
    total: asName(figures.money(summary.cost?.total ?? 0n)),
    freeMargin: asName(figures.money(context.freeMargin ?? 0n)),
  }
  const fits = max !== null && max >= lotMin
  return (
    <ProblemNotice
      text={
        fits
          ? t('unaffordable', { ...money, lots: figures.decimal(lotText(max, lotStep)) })
          : t('minimumUnaffordable', money)
      }
    />
  )
}

type MarketNoticeProps = {
  problem: MarketProblem
  nextOpenAt: InstrumentListing['nextOpenAt']
  staleSeconds: number | null
  /** The operators' reason for a halt or for reduce-only mode. */
  reason: string | null
}

/** Why no order can be sent now, and when it will be possible. */
function MarketNotice(props: MarketNoticeProps) {
  const text = useNoticeText(props)
  return (
    <p role="status" className="rounded-field bg-brass-tint px-3 py-2 text-note">
      {text}
    </p>
  )
}

function useNoticeText({ problem, nextOpenAt, staleSeconds, reason }: MarketNoticeProps): string {
  const t = useTranslations('ticket')
  const halt = useTranslations('halt')
  const { moments } = useLocale()
  if (problem === 'marketClosed' && nextOpenAt !== null)
    return t('marketClosedUntil', { time: moments.soon(nextOpenAt, marketNow()) })
  if (problem === 'halted') return halt('notice', { reason: reason ?? '' })
  if (problem === 'reduceOnly') return t('reduceOnly', { reason: reason ?? '' })
  if (problem !== 'stalePrice') return t(problem)
  const seconds = staleSeconds ?? 0
  return seconds < 60
    ? t('stalePrice', { seconds })
    : t('stalePriceMinutes', { minutes: Math.floor(seconds / 60) })
}
