import type { InstrumentListing } from '@fairlot/contract'
import { fromTicks, type Side } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { SideButtons, type SideButtonContent } from './side-buttons.tsx'
import type { Ticket } from './use-ticket.ts'

/** Sell and Buy of a ticket. At the market they carry the live prices, for a pending order its kind and target. */
export function TicketButtons({ ticket, listing }: { ticket: Ticket; listing: InstrumentListing }) {
  const { view } = ticket
  const content = useSideContent(ticket, listing)
  return (
    <SideButtons
      sell={content('sell')}
      buy={content('buy')}
      spread={useSpread(ticket)}
      isStale={view.terms.isStale}
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
      spoken:
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
