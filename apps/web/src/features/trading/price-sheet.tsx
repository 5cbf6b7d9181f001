import type { InstrumentListing } from '@fairlot/contract'
import { fromTicks, price } from '@fairlot/core'
import { BellPlus, Clock, Shield } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { lotText } from './lots-and-prices.ts'
import { proposeOrder } from './ticket/proposed-order.ts'
import { profitAt, stopAt, type TradeLine } from './trade-lines.ts'
import { useTradeMarket } from './trade-market.ts'

type PriceSheetProps = {
  listing: InstrumentListing
  /** The price that was tapped, in ticks; null while the sheet is closed. */
  ticks: number | null
  lines: readonly TradeLine[]
  onClose: () => void
  onAlert: (ticks: number) => void
  /** A stop of an order was chosen, by the order's line. */
  onStop: (line: TradeLine, ticks: number) => void
}

/** What a user can do at a price of the chart: an alert, a pending order, a stop of an own order. */
export function PriceSheet({ listing, ticks, lines, onClose, onAlert, onStop }: PriceSheetProps) {
  const t = useTranslations()
  const { figures } = useLocale()
  const shown = (at: number): string =>
    figures.decimal(fromTicks(price(at), listing.priceDecimals), { shown: listing.priceDecimals })
  return (
    <Sheet
      isOpen={ticks !== null}
      onClose={onClose}
      title={
        ticks === null
          ? asName(listing.showCode)
          : t('chart.atPrice', { code: asName(listing.showCode), price: asName(shown(ticks)) })
      }
      closeLabel={t('app.close')}
    >
      {ticks !== null && (
        <Choices
          listing={listing}
          ticks={ticks}
          lines={lines}
          onClose={onClose}
          onAlert={onAlert}
          onStop={onStop}
        />
      )}
    </Sheet>
  )
}

function Choices({ listing, ticks, lines, onClose, onAlert, onStop }: PriceSheetProps & { ticks: number }) {
  const t = useTranslations('chart')
  const { figures } = useLocale()
  const market = useTradeMarket(listing)
  const entries = lines.flatMap((line) => (line.of.kind === 'entry' ? [{ line, order: line.of.order }] : []))
  const choose = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <ul className="flex flex-col pb-2">
      <Choice icon={BellPlus} text={t('setAlert')} onPress={choose(() => onAlert(ticks))} />
      {market.quote && (
        <Choice
          icon={Clock}
          text={t('pendingHere', { at: ticks < market.quote.bid ? 'below' : 'above' })}
          onPress={choose(() => proposeOrder({ instrumentId: listing.id, ticks }))}
        />
      )}
      {entries.map(({ line, order }) => {
        const profit = profitAt(order, price(ticks), market)
        return (
          <Choice
            key={line.id}
            icon={Shield}
            text={t('stopHere', {
              kind: stopAt(order, ticks, market),
              side: order.side,
              lots: asName(figures.decimal(lotText(order.lots, order.instrument.lotStep))),
              profit: profit === null ? '–' : asName(figures.money(profit, { sign: 'always' })),
            })}
            onPress={choose(() => onStop(line, ticks))}
          />
        )
      })}
    </ul>
  )
}

function Choice({ icon, text, onPress }: { icon: typeof BellPlus; text: string; onPress: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onPress}
        className="flex min-h-12 w-full items-center gap-3 border-b border-line text-start"
      >
        <Icon of={icon} size={18} />
        <span>{withNames(text)}</span>
      </button>
    </li>
  )
}
