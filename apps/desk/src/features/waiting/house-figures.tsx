import { getChainEnds, getHouseFigures } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { moment } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { useNow } from '../../ui/use-now.ts'
import { shortHash } from '../../i18n/act-words.ts'
import type { ReactNode } from 'react'

/** How the house stands, below the list: prices, and the cards given or else the journal. What is not known yet has no card. */
export function HouseFigures({ cards }: { cards: ReactNode }) {
  const now = useNow()
  const { data: house } = useDeskQuery(getHouseFigures, null, { topics: ['market'] })
  const { data: ends } = useDeskQuery(getChainEnds, null)
  return (
    <FigureRow>
      {house && (
        <FigureCard
          label="Prices"
          value={`${house.freshPrices} of ${house.instruments} fresh`}
          {...(house.freshPrices < house.instruments && { tone: 'down' as const })}
        >
          {house.refusedTicks} ticks refused so far
        </FigureCard>
      )}
      {cards}
      {!cards && ends && (
        <FigureCard label="Journal" value={`row ${ends.journal.number}`}>
          {shortHash(ends.journal.hash)}
          {ends.lastMailed && <> · mailed {moment(ends.lastMailed.at, now)}</>}
        </FigureCard>
      )}
    </FigureRow>
  )
}
