import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DemoButton } from './demo-button.tsx'

/** One sentence and one act for visitors. */
export function DemoInvitation() {
  const t = useTranslations('account')
  return (
    <Card>
      <h2 className="text-title font-bold text-balance">{t('visitorTitle')}</h2>
      <p className="mt-1 text-note text-second">{t('visitorText')}</p>
      <div className="mt-4 flex flex-wrap gap-2 *:grow">
        <span className="basis-[10rem]">
          <DemoButton isWide />
        </span>
        <Link to="/login" className={buttonClass('outline')}>
          {t('logIn')}
        </Link>
      </div>
    </Card>
  )
}
