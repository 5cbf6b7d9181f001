import type { Decimal, OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useOrders } from '../../../live/account/orders.ts'
import { useStopOuts } from '../use-account-snapshot.ts'

type Priced = Pick<OrderView, 'id' | 'currentPrice'>

/** The position that the smallest move of its price, as a part of it, would stop out; null when none would be. */
export function nearestStopOut<Order extends Priced>(
  orders: readonly Order[],
  priceOf: ReadonlyMap<number, Decimal>,
): { readonly order: Order; readonly price: Decimal } | null {
  const places = orders.flatMap((order) => {
    const price = priceOf.get(order.id)
    return price === undefined ? [] : [{ order, price, far: distance(order.currentPrice, price) }]
  })
  const [nearest] = places.toSorted((a, b) => a.far - b.far)
  return nearest ? { order: nearest.order, price: nearest.price } : null
}

/** For comparing only; prices themselves stay exact. */
const distance = (now: Decimal | null, price: Decimal): number =>
  now === null ? Infinity : Math.abs((Number(now) - Number(price)) / Number(now))

/** The stop-out in words: the level of it, and the price of the position that is nearest to its own; null while not known. */
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
    name: t('stopOutAt', { level: figures.percent(level, { shown: 0 }) }),
    code: instrument?.showCode ?? '',
    price: nearest && instrument ? figures.decimal(nearest.price, { shown: instrument.priceDecimals }) : '–',
  }
}
