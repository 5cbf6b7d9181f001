import { type ChainEnd, getChainEnds } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { moment } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { useNow } from '../../ui/use-now.ts'

/** Where the chains end: whoever keeps these can tell later whether anything before them was rewritten. */
export function ChainEnds() {
  const now = useNow()
  const { data } = useDeskQuery(getChainEnds, null)
  if (!data) return null
  const { journal, acts, lastMailed } = data
  return (
    <FigureRow>
      <Card label="Journal" row="row" end={journal} now={now} />
      <Card label="Acts" row="act" end={acts} now={now} />
      <FigureCard label="Mailed" value={lastMailed ? moment(lastMailed.at, now) : 'never'}>
        {lastMailed
          ? `row ${lastMailed.journalRow} and act ${lastMailed.actId}, to ${lastMailed.recipients}`
          : 'nobody is named in the settings'}
      </FigureCard>
    </FigureRow>
  )
}

type CardProps = { label: string; row: string; end: ChainEnd; now: number }

const Card = ({ label, row, end, now }: CardProps) => (
  <FigureCard label={label} value={`${row} ${end.number}`}>
    {end.at !== null && <span className="block">{moment(end.at, now)}</span>}
    <code dir="ltr" className="block text-tiny break-all">
      {end.hash}
    </code>
  </FigureCard>
)
