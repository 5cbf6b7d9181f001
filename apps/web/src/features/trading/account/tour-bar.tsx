import type { OrderView } from '@fairlot/contract'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { TOAST_OBSTACLE } from '@fairlot/ui/layout/toast-obstacle.ts'
import { Link, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { useOrders } from '../../../live/account/orders.ts'
import { setTourStep, useTourStep } from '../../../live/device/tour.ts'
import { useUser } from '../../../live/session/user.ts'

/** The user confirms the first two; that an order was sent or closed shows in the lists of orders. */
const STEPS = ['size', 'cost', 'send', 'close'] as const
type ShownStep = (typeof STEPS)[number] | 'done'

const wasFilled = ({ openPrice, status }: OrderView): boolean => status === 'closed' && openPrice !== null

/** The step that the user is at: what has happened counts more than what was confirmed. Null while no tour is under way. */
function useShownStep(): { readonly userId: number; readonly step: ShownStep } | null {
  const user = useUser()
  const step = useTourStep(user?.id)
  const isOn = step !== null && step !== 'over'
  const { total: open = 0 } = useOrders('holding', isOn)
  const { orders: ended = [] } = useOrders('history', isOn)
  if (!user || !isOn) return null
  return { userId: user.id, step: ended.some(wasFilled) ? 'done' : open > 0 ? 'close' : step }
}

/**
 * The tour of the first trade, a bar below the screens that hides nothing of them: it says what to do next, leads there, and can be
 * skipped or left at any time.
 */
export function TourBar({ ticketPaths }: { ticketPaths: readonly string[] }) {
  const t = useTranslations('tour')
  const shown = useShownStep()
  const { pathname } = useLocation()
  if (!shown) return null
  const { userId, step } = shown
  const end = () => setTourStep(userId, 'over')
  const actions: Record<ShownStep, ReactNode> = {
    size: <Next onNext={() => setTourStep(userId, 'cost')} />,
    cost: <Next onNext={() => setTourStep(userId, 'send')} />,
    send: null,
    close: pathname !== '/order' && <Way to="/order">{t('toOrders')}</Way>,
    done: (
      <Button size="small" onClick={end}>
        {t('finish')}
      </Button>
    ),
  }
  const isAway = step !== 'close' && step !== 'done' && !ticketPaths.includes(pathname)
  return (
    <section
      {...TOAST_OBSTACLE}
      aria-label={t('title')}
      className="border-t border-line bg-brass-tint ps-4 pe-2 py-1"
    >
      <div className="mx-auto flex w-full max-w-2xl flex-wrap items-center gap-x-3">
        <div role="status" className="flex-[1_1_12rem] py-1">
          <p className="text-tiny font-bold text-brass">
            {step === 'done'
              ? t('title')
              : t('progress', { step: STEPS.indexOf(step) + 1, count: STEPS.length })}
          </p>
          <p className="text-note">{t(`step.${step}`)}</p>
        </div>
        <div className="ms-auto flex items-center gap-1">
          {isAway ? <Way to="/trade">{t('toTicket')}</Way> : actions[step]}
          {step !== 'done' && <IconButton icon={X} label={t('skip')} onClick={end} />}
        </div>
      </div>
    </section>
  )
}

function Next({ onNext }: { onNext: () => void }) {
  const t = useTranslations('tour')
  return (
    <Button size="small" onClick={onNext}>
      {t('next')}
    </Button>
  )
}

const Way = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={buttonClass('ink', 'small')}>
    {children}
  </Link>
)
