import type { User } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { contactOf } from '../../live/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** Who is logged in already, and on with it. In the demo one may still come to a real account. */
export function Already({ user, onGoOn }: { user: User; onGoOn: () => void }) {
  const t = useTranslations('session')
  return (
    <Card>
      <p>{t('already', { name: contactOf(user) ?? user.uid })}</p>
      {user.isDemo && <p className="mt-1 text-note text-second">{t('demoStays')}</p>}
      <div className="mt-4">
        <Button isWide tone={user.isDemo ? 'outline' : 'ink'} onClick={onGoOn}>
          {t('goOn')}
        </Button>
      </div>
    </Card>
  )
}
