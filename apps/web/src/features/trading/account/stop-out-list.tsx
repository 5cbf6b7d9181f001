import type { Decimal, OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { useOrders } from '../../../live/account/orders.ts'
import { useStopOuts } from '../use-account-snapshot.ts'

/** The price at which each position would be stopped out, beside the one it would close at now. */
export function StopOutList() {
  const t = useTranslations('account')
  const priceOf = useStopOuts()
  const { orders = [] } = useOrders('holding')
  // Positions on one side of an instrument share theirs.
  const places = [...Map.groupBy(orders, ({ instrument, side }) => `${instrument.id} ${side}`).values()]
  const rows = places.flatMap(([order]) => {
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
      <dt>{t('stopOutOf', { side: order.side, code: showCode })}</dt>
      <dd className="ms-auto">
        <bdi dir="ltr" className="font-bold">
          {shown(price)}
        </bdi>
        {now !== null && <span className="ps-2 text-second">{t('nowAt', { price: shown(now) })}</span>}
      </dd>
    </div>
  )
}
