import { directionOfFigure } from '../../../i18n/number-format.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { ChangeFigure } from '@fairlot/ui/figures/change-figure.tsx'
import type { Decimal, OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useAccountFigures, useMarkToMarket } from '../../../live/account/account.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { MeterBar } from '@fairlot/ui/feedback/meter-bar.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useOrders } from '../../../live/account/orders.ts'
import { useStopOuts } from '../account-snapshot.ts'

type ProfitFigureProps = {
  /** Account currency in units of 1e-6. */
  units: bigint
  hasArrow?: boolean
}

/** A profit with sign and colour, to the sixth decimal. */
export function ProfitFigure({ units, hasArrow = false }: ProfitFigureProps) {
  const { figures } = useLocale()
  const { main, rest } = figures.exact(units, { sign: 'always' })
  return <ChangeFigure direction={directionOfFigure(main)} text={main} rest={rest} hasArrow={hasArrow} />
}

/** State of the margin level: calm, at or below the warning level, or just above the stop-out level. */
type MarginState = 'calm' | 'warning' | 'near'

type MarginLimits = { readonly warningLevel: Decimal; readonly stopOutLevel: Decimal }

/** Up to this multiple of the stop-out level counts as near: 60 % for 50 %. */
const NEAR = 1.2

/** The state of a margin level in percent; null is no margin in use. */
export function marginState(
  level: Decimal | null,
  { warningLevel, stopOutLevel }: MarginLimits,
): MarginState {
  if (level === null) return 'calm'
  if (Number(level) <= Number(stopOutLevel) * NEAR) return 'near'
  return Number(level) <= Number(warningLevel) ? 'warning' : 'calm'
}

/** State of the user's margin level; calm until it is known. */
export function useMarginState(): MarginState {
  const level = useAccountFigures()?.level ?? null
  const info = useBasicInfo()
  return info ? marginState(level, info) : 'calm'
}

/** The margin call, with the warning and the stop-out level. Nothing while the margin level is calm. */
export function MarginNotice() {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const state = useMarginState()
  if (!info || state === 'calm') return null
  const levels = {
    warning: asName(figures.percent(info.warningLevel, { shown: 0 })),
    stopOut: asName(figures.percent(info.stopOutLevel, { shown: 0 })),
  }
  return (
    <p
      role="status"
      className={classNames(
        'rounded-field px-3 py-2 text-note',
        state === 'near' ? 'bg-danger-tint' : 'bg-brass-tint',
      )}
    >
      <strong className={classNames('font-bold', state === 'near' && 'text-danger')}>
        {t(state === 'near' ? 'stopOutNear' : 'marginCall')}
      </strong>{' '}
      {withNames(t('marginCallText', levels))}
    </p>
  )
}

/** Margin level in percent, or a dash while no margin is used. */
export function MarginLevel({ level }: { level: Decimal | null }) {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const isLow = useMarginState() !== 'calm'
  if (level === null) return <span title={t('noMargin')}>–</span>
  // Above a thousand percent the decimals carry no meaning, and would not fit the card.
  const shown = Number(level) >= 1000 ? 0 : 2
  return (
    <bdi dir="ltr" translate="no" className={isLow ? 'text-danger' : ''}>
      {figures.percent(level, { shown })}
    </bdi>
  )
}

/**
 * Filled part of the margin bar, 0 to 1; both levels in percent. Above the warning level: the part of the level that lies above it, so
 * that the bar is full without margin and empty at the warning level. Below: the level as a part of the warning level.
 */
export const filledPart = (level: Decimal | null, warningLevel: Decimal): number => {
  if (level === null) return 1
  const [has, warned] = [Math.max(0, Number(level)), Number(warningLevel)]
  return has > warned ? 1 - warned / has : has / warned
}

/** The margin level as a bar, in the warning colour from the warning level down. */
export function MarginBar({ level }: { level: Decimal | null }) {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const isLow = useMarginState() !== 'calm'
  return (
    <MeterBar
      label={t('marginLevel')}
      valueText={level === null ? t('noMargin') : figures.percent(level)}
      part={info ? filledPart(level, info.warningLevel) : 1}
      tone={isLow ? 'danger' : 'brass'}
    />
  )
}

type Priced = Pick<OrderView, 'id' | 'currentPrice'>

/** The position whose stop-out price is nearest to its current price, relative to it; null when there is none. */
export function nearestStopOut<Order extends Priced>(
  orders: readonly Order[],
  priceOf: ReadonlyMap<number, Decimal>,
): { readonly order: Order; readonly price: Decimal } | null {
  const candidates = orders.flatMap((order) => {
    const price = priceOf.get(order.id)
    return price === undefined ? [] : [{ order, price, far: distance(order.currentPrice, price) }]
  })
  const [nearest] = candidates.toSorted((a, b) => a.far - b.far)
  return nearest ? { order: nearest.order, price: nearest.price } : null
}

/** Relative distance, for comparison only. */
const distance = (now: Decimal | null, price: Decimal): number =>
  now === null ? Infinity : Math.abs((Number(now) - Number(price)) / Number(now))

/** Texts of the stop-out: its level, and the price of the position that is nearest to it; null while unknown. */
export function useStopOutText(): {
  readonly name: string
  readonly code: string
  readonly price: string
} | null {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const level = useBasicInfo()?.stopOutLevel
  const prices = useStopOuts()
  const { orders = [] } = useOrders('holding')
  const nearest = nearestStopOut(orders, prices)
  if (level === undefined) return null
  const instrument = nearest?.order.instrument
  return {
    name: t('stopOutAt', { level: asName(figures.percent(level, { shown: 0 })) }),
    code: instrument?.showCode ?? '',
    price: nearest && instrument ? figures.decimal(nearest.price, { shown: instrument.priceDecimals }) : '–',
  }
}

/** Stop-out price of each position beside its current closing price. */
export function StopOutList() {
  const t = useTranslations('account')
  const priceOf = useStopOuts()
  const { orders = [] } = useOrders('holding')
  // Positions on one side of an instrument share one stop-out price.
  const groups = [...Map.groupBy(orders, ({ instrument, side }) => `${instrument.id} ${side}`).values()]
  const rows = groups.flatMap(([order]) => {
    const price = order && priceOf.get(order.id)
    return order && price !== undefined ? [{ order, price }] : []
  })
  if (rows.length === 0) return null
  return (
    <section className="mt-3 text-note">
      <h3 className="text-tiny text-second">{t('stopOuts')}</h3>
      <dl>
        {rows.map(({ order, price }) => (
          <StopOutRow key={order.id} order={order} price={price} />
        ))}
      </dl>
    </section>
  )
}

function StopOutRow({ order, price }: { order: OrderView; price: Decimal }) {
  const t = useTranslations('account')
  const { figures } = useLocale()
  const { showCode, priceDecimals } = order.instrument
  const now = useMarkToMarket(order).currentPrice
  const shown = (value: Decimal) => figures.decimal(value, { shown: priceDecimals })
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-0.5">
      <dt>{withNames(t('stopOutOf', { side: order.side, code: asName(showCode) }))}</dt>
      <dd className="ms-auto">
        <bdi dir="ltr" translate="no" className="font-bold">
          {shown(price)}
        </bdi>
        {now !== null && (
          <span className="ps-2 text-second">{withNames(t('nowAt', { price: asName(shown(now)) }))}</span>
        )}
      </dd>
    </div>
  )
}
