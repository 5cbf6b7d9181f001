import type { InstrumentListing } from '@fairlot/contract'
import type { Side } from '@fairlot/core'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { classNames } from '@fairlot/ui/class-names.ts'
import { NOTICE_FLOOR } from '@fairlot/ui/notice-floor.ts'
import { AnnouncedLine } from '../terms/announced-line.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { CostLine } from './cost-line.tsx'
import { hasFieldProblem } from './problems.ts'
import { SideLines } from './side-lines.tsx'
import { TicketButtons } from './ticket-buttons.tsx'
import { TicketForm } from './ticket-form.tsx'
import { TicketNotices } from './ticket-notices.tsx'
import { useTicket, type Ticket } from './use-ticket.ts'

type TicketSheetProps = {
  listing: InstrumentListing
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** The ticket at the foot of the phone. Folded it is its two buttons and the size they would trade. */
export const TicketSheet = (props: TicketSheetProps) => <FoldingTicket key={props.listing.id} {...props} />

function FoldingTicket({ listing, isFolded, onFold }: TicketSheetProps) {
  const t = useTranslations('ticket')
  const ticket = useTicket(listing)
  const { view } = ticket
  const riskWarning = useBasicInfo()?.riskWarning
  const press = (side: Side) => {
    // What is wrong with a field can only be said where the field is.
    if (isFolded && hasFieldProblem(view.problems, side)) onFold(false)
    ticket.press(side)
  }
  return (
    <section
      {...NOTICE_FLOOR}
      aria-label={t('title')}
      className={classNames(
        'flex min-h-0 flex-col gap-2 rounded-t-sheet bg-surface px-4 pb-3 landscape-phone:justify-end landscape-phone:rounded-t-none landscape-phone:rounded-s-sheet',
        isFolded ? 'landscape-phone:w-64' : 'landscape-phone:w-88',
      )}
    >
      <FoldHandle isFolded={isFolded} onFold={onFold} ticket={ticket} />
      {!isFolded && (
        // On a short screen the fields scroll, so that the buttons stay in sight.
        <div className="-mx-4 flex min-h-0 flex-col gap-2 overflow-y-auto overscroll-contain px-4">
          <div data-of="instrument">
            <TicketForm view={view} columns={2} />
          </div>
          <div className="flex flex-col gap-1 py-0.5">
            <div data-of="visitor" className="flex flex-col gap-1">
              <CostLine
                cost={view.summary.cost}
                available={view.terms.available}
                isAffordable={view.summary.isAffordable}
              />
              <SideLines view={view} listing={listing} />
            </div>
            {riskWarning && <p className="text-tiny text-second">{riskWarning}</p>}
          </div>
        </div>
      )}
      <AnnouncedLine instrumentId={listing.id} />
      <TicketNotices ticket={ticket} listing={listing} hasFields={!isFolded} />
      <div {...NOTICE_FLOOR} data-of="visitor">
        <TicketButtons ticket={{ ...ticket, press }} listing={listing} />
      </div>
    </section>
  )
}

/** How far a finger moves before it means up or down. */
const SWIPE_PX = 24

type FoldHandleProps = Pick<TicketSheetProps, 'isFolded' | 'onFold'> & { ticket: Ticket }

/** A bar to tap or to swipe. Folded it also tells the size that the buttons trade. */
function FoldHandle({ isFolded, onFold, ticket }: FoldHandleProps) {
  const t = useTranslations('ticket')
  const start = useRef<number | null>(null)
  const isSwipe = useRef(false)
  const { lots, leverage } = ticket.view.state
  const end = (y: number) => {
    const moved = start.current === null ? 0 : y - start.current
    start.current = null
    isSwipe.current = Math.abs(moved) > SWIPE_PX
    if (isSwipe.current) onFold(moved > 0)
  }
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      aria-label={t(isFolded ? 'unfold' : 'fold')}
      onClick={() => {
        // A swipe ends with a click of its own.
        if (!isSwipe.current) onFold(!isFolded)
        isSwipe.current = false
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = event.clientY
      }}
      onPointerUp={(event) => end(event.clientY)}
      className="-mx-4 flex min-h-6 touch-none flex-col items-center justify-center gap-1.5 pt-2 pb-0.5"
    >
      <span className="h-1 w-10 rounded-full bg-line" />
      {isFolded && leverage !== null && (
        <span className="text-note font-medium text-second">{t('terms', { lots, leverage })}</span>
      )}
    </button>
  )
}
