import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgeCheck,
  CalendarClock,
  Gift,
  Headset,
  History,
  KeyRound,
  Languages,
  Mail,
  Megaphone,
  Newspaper,
  ScrollText,
  Settings2,
  SpellCheck,
  UserRound,
  UserRoundPlus,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { User } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { LANGUAGES } from '../../i18n/language.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useChatState } from '../../live/account/chat.ts'
import { contactOf } from '../../live/session/session.ts'
import { useUser } from '../../live/session/user.ts'
import { useLanguage } from '../../live/device/language.ts'
import { Logout } from './logout.tsx'

type UserScreenProps = {
  /** The figures of the account and of its copies. */
  account: ReactNode
  /** The button that resets a demo account; shown to demo users only. */
  reset: ReactNode
}

/** The user centre: profile, account figures, links to settings and support, and log-out. */
export function UserScreen({ account, reset }: UserScreenProps) {
  const t = useTranslations('user')
  const screens = useTranslations('screens')
  const user = useUser()
  const chosen = useLanguage()
  const language = LANGUAGES[chosen]
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      {user ? <Profile user={user} /> : <Skeleton shape="h-14 w-full" />}
      {account}
      <PaymentLinks />
      {user?.isDemo && (
        <Card>
          <div className="-my-3">
            <ListLink icon={UserRoundPlus} to="/register" title={t('openReal')} note={t('openRealText')} />
          </div>
        </Card>
      )}
      <Card>
        <div className="-my-3 divide-y divide-line">
          {user && (
            // A demo user learns on that screen that it needs a real account.
            <ListLink
              icon={BadgeCheck}
              to="/mine/auth"
              title={screens('auth')}
              value={!user.isDemo && t(`identity.${user.identityCheck}`)}
            />
          )}
          <ListLink icon={ScrollText} to="/mine/history" title={t('history')} note={t('historyText')} />
          <ListLink icon={History} to="/mine/activity" title={t('activity')} note={t('activityNote')} />
          <ListLink icon={CalendarClock} to="/mine/terms" title={t('terms')} note={t('termsText')} />
          <ListLink icon={Languages} to="/language" title={t('language')} value={asName(language.name)} />
          <ListLink icon={KeyRound} to="/mine/password" title={t('password')} />
          <ListLink icon={Settings2} to="/mine/system" title={t('system')} note={t('systemText')} />
        </div>
      </Card>
      <SupportLinks />
      <MoreLinks />
      {user?.isDemo && reset}
      <Logout isDemo={user?.isDemo ?? false} />
    </div>
  )
}

const PAYMENTS = [
  { name: 'charge', to: '/mine/charge', icon: ArrowDownToLine },
  { name: 'withdraw', to: '/mine/withdraw', icon: ArrowUpFromLine },
  { name: 'wallet', to: '/mine/wallet', icon: Wallet },
] as const

/** Deposits and withdrawals; a demo user learns on those screens that they need a real account. */
function PaymentLinks() {
  const t = useTranslations('screens')
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        {PAYMENTS.map(({ name, to, icon }) => (
          <ListLink key={name} icon={icon} to={to} title={t(name)} />
        ))}
      </div>
    </Card>
  )
}

/** Support chat with its unread count, and the e-mail address for complaints. */
function SupportLinks() {
  const t = useTranslations()
  const unread = useChatState()?.unread ?? 0
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        <ListLink
          icon={Headset}
          to="/mine/chat"
          title={t('screens.chat')}
          value={unread > 0 && <Badge tone="brass">{t('user.unread', { count: unread })}</Badge>}
        />
        <ListLink icon={Mail} to="/mine/email" title={t('screens.email')} />
        <ListLink icon={SpellCheck} to="/mine/text" title={t('screens.reportText')} />
      </div>
    </Card>
  )
}

const MORE_LINKS = [
  { name: 'invite', to: '/mine/invite', icon: Gift },
  { name: 'news', to: '/news', icon: Newspaper },
  { name: 'announcement', to: '/mine/announcement', icon: Megaphone },
] as const

function MoreLinks() {
  const t = useTranslations('screens')
  return (
    <Card>
      <div className="-my-3 divide-y divide-line">
        {MORE_LINKS.map(({ name, to, icon }) => (
          <ListLink key={name} icon={icon} to={to} title={t(name)} />
        ))}
      </div>
    </Card>
  )
}

/** The logged-in user, with the credit score that an operator may have set. */
function Profile({ user }: { user: User }) {
  const t = useTranslations('user')
  const { figures } = useLocale()
  return (
    <section className="flex flex-wrap items-center gap-3 py-1">
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-ink text-on-ink">
        <Icon of={UserRound} />
      </span>
      <div className="min-w-0 flex-[1_1_7rem]">
        <p className="font-bold break-words">
          <bdi translate={contactOf(user) === null ? undefined : 'no'}>
            {contactOf(user) ?? t(user.isDemo ? 'demoAccount' : 'realAccount')}
          </bdi>
        </p>
        <p className="text-note text-second">{withNames(t('number', { id: asName(user.uid) }))}</p>
      </div>
      <div className="ms-auto text-end" title={t('creditScoreText')}>
        <p className="text-tiny text-second">{t('creditScore')}</p>
        <p className="font-bold">
          <bdi translate="no">{figures.count(user.creditScore)}</bdi>
        </p>
      </div>
    </section>
  )
}
