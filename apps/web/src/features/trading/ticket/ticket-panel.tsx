import type { InstrumentListing } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import { AnnouncedLine } from '../terms/announced-line.tsx'
import { SideLines } from './side-lines.tsx'
import { TicketButtons } from './ticket-buttons.tsx'
import { TicketForm, type TicketView } from './ticket-form.tsx'
import { TicketNotices } from './ticket-notices.tsx'
import { useTicket } from './use-ticket.ts'

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
        <SideLines view={ticket.view} listing={listing} />
        <AnnouncedLine instrumentId={listing.id} />
        <TicketNotices ticket={ticket} listing={listing} hasFields />
        <TicketButtons ticket={ticket} listing={listing} />
        {riskWarning && <p className="text-tiny text-second">{riskWarning}</p>}
      </section>
    </Card>
  )
}

/** What the order holds back and costs, what its stops would bring, and what there is. */
function CostList({ view: { summary, terms } }: { view: TicketView }) {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const fine = (amount: bigint | undefined) =>
    amount === undefined ? '–' : <FineFigure parts={figures.fine(amount)} />
  return (
    <DefinitionList
      rows={[
        { term: t('margin'), value: fine(summary.cost?.margin) },
        { term: t('fee'), value: fine(summary.cost?.fee) },
        ...(terms.available === null
          ? []
          : [{ term: t('available'), value: <bdi dir="ltr">{figures.money(terms.available)}</bdi> }]),
      ]}
    />
  )
}
