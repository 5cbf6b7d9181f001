import type { User } from '@fairlot/contract'
import { UserRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { contactOf } from '../../live/auth/session.ts'
import { Icon } from '@fairlot/ui/icon.tsx'

/** Who is logged in, and the score that an operator may have set. */
export function Profile({ user }: { user: User }) {
  const t = useTranslations('user')
  const { figures } = useLocale()
  return (
    <section className="flex flex-wrap items-center gap-3 py-1">
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-ink text-on-ink">
        <Icon of={UserRound} />
      </span>
      <div className="min-w-0 flex-[1_1_7rem]">
        <p className="font-bold break-words">
          <bdi>{contactOf(user) ?? t(user.isDemo ? 'demoAccount' : 'realAccount')}</bdi>
        </p>
        <p className="text-note text-second">{t('number', { id: user.uid })}</p>
      </div>
      <div className="ms-auto text-end" title={t('creditScoreText')}>
        <p className="text-tiny text-second">{t('creditScore')}</p>
        <p className="font-bold">
          <bdi>{figures.count(user.creditScore)}</bdi>
        </p>
      </div>
    </section>
  )
}
