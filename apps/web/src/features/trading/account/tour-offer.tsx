import { X } from 'lucide-react'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { useTranslations } from 'use-intl'
import { useAccountFigures } from '../../../live/account/account.ts'
import { setTourStep, useTourStep } from '../../../live/device/tour.ts'
import { useUser } from '../../../live/session/user.ts'
import { useHasTraded } from './has-traded.ts'

/** Offers the tour of the first trade to a user with money who has never traded; once, also when it is declined. */
export function TourOffer() {
  const t = useTranslations('account')
  const user = useUser()
  const step = useTourStep(user?.id)
  const hasTraded = useHasTraded()
  const free = useAccountFigures()?.free ?? 0n
  if (!user || step !== null || hasTraded !== false || free <= 0n) return null
  const start = () => {
    setTourStep(user.id, 'size')
    navigate('/trade')
  }
  return (
    <div className="mt-3 -me-2 flex items-center gap-1 border-t border-line pt-2">
      <p className="min-w-0 grow text-note text-second">{t('tourOffer')}</p>
      <Button size="small" aria-label={t('tourStart')} onClick={start}>
        {t('tourStartShort')}
      </Button>
      <IconButton icon={X} label={t('tourDecline')} onClick={() => setTourStep(user.id, 'over')} />
    </div>
  )
}
