import { CirclePause, KeyRound, Lock, RefreshCw, WifiOff } from 'lucide-react'
import { lazy, useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Banner } from '@fairlot/ui/feedback/banner.tsx'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { useMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import { navigate, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { useFirstInput } from '@fairlot/ui/hooks/use-first-input.ts'
import { useHotkey } from '@fairlot/ui/hooks/use-hotkey.ts'
import { useMediaQuery, WIDE } from '@fairlot/ui/hooks/use-media-query.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import type { MomentFormat } from '../i18n/date-format.ts'
import { useLocale } from '../i18n/locale-provider.tsx'
import { useIsLoggedIn } from '../live/device/token.ts'
import { useUser } from '../live/session/user.ts'
import { useBasicInfo, useTrading } from '../live/basic-info.ts'
import { useAppVersion } from '../live/device/app-version.ts'
import { useConnection } from '../live/connection/connection-state.ts'
import { useHasTour } from '../live/device/tour.ts'
import { FooterTabs } from './footer-tabs.tsx'
import { lazyWithMessages } from './lazy-with-messages.tsx'
import { routeOf } from './routes.ts'
import { ScreenHost } from './screen-host.tsx'
import { preloadMoreScreens, usePreloadOrders } from './screens.tsx'

const DesktopHeader = lazy(async () => ({
  default: (await import('./desktop/desktop-header.tsx')).DesktopHeader,
}))

/** From 64 rem the app is a desktop workspace, below it the phone layout. Screens keep their state when the width changes. */
export function Shell() {
  const isWide = useMediaQuery(WIDE)
  useFirstInput(preloadMoreScreens)
  return (
    <div className="flex h-dvh flex-col pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)]">
      <SkipLinks isWide={isWide} />
      {isWide && <Shortcuts onTicket={focusTicket} />}
      <OfflineBanner />
      <VersionBanner />
      <PausedBanner />
      <RestrictedBanner />
      <RecoveryBanner />
      {isWide && (
        <SmallPart loading={<div className="min-h-16 bg-surface" />}>
          <DesktopHeader />
        </SmallPart>
      )}
      <div className="relative min-h-0 flex-1">
        <ScreenHost isWide={isWide} />
      </div>
      <Tour isWide={isWide} />
      {!isWide && <PhoneFooter />}
    </div>
  )
}

const TourBar = lazyWithMessages(
  'trading',
  async () => (await import('../features/trading/account/tour-bar.tsx')).TourBar,
)

/** The tour of the first trade, while it is under way. */
function Tour({ isWide }: { isWide: boolean }) {
  const isOn = useHasTour()
  const isLoggedIn = useIsLoggedIn()
  return (
    isOn &&
    isLoggedIn && (
      <SmallPart>
        <TourBar ticketPaths={isWide ? WITH_TICKET : ['/trade']} />
      </SmallPart>
    )
  )
}

function PhoneFooter() {
  const { pathname } = useLocation()
  usePreloadOrders(useIsLoggedIn())
  return routeOf(pathname)?.hasFooter && <FooterTabs />
}

/** Paths that show the ticket in the desktop workspace. */
const WITH_TICKET: readonly string[] = ['/', '/trade', '/order']

/** Keyboard shortcuts past the header to the screen, and to Sell and Buy. Buttons, because the router uses the hash. */
function SkipLinks({ isWide }: { isWide: boolean }) {
  const t = useTranslations('app')
  const { pathname } = useLocation()
  const hasTicket = pathname === '/trade' || (isWide && WITH_TICKET.includes(pathname))
  return (
    <>
      <SkipLink label={t('skip')} onSkip={focusScreen} />
      {hasTicket && <SkipLink label={t('skipToTicket')} onSkip={focusTicket} />}
    </>
  )
}

const SkipLink = ({ label, onSkip }: { label: string; onSkip: () => void }) => (
  <button
    type="button"
    onClick={onSkip}
    className="sr-only z-50 rounded-button bg-ink px-4 py-3 text-on-ink focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
  >
    {label}
  </button>
)

/** Kept screens stay in the page while hidden, so the focus goes to the visible one. */
const focusScreen = (): void => focusVisible('main')

/** The ticket; Sell and Buy follow in tab order. */
const focusTicket = (): void => focusVisible('[data-skip="ticket"]')

function focusVisible(selector: string): void {
  const places = [...document.querySelectorAll<HTMLElement>(selector)]
  places.find((place) => place.checkVisibility())?.focus()
}

/** Shows that the connection is lost, with the time of the prices shown. */
function OfflineBanner() {
  const t = useTranslations('app')
  const { moments } = useLocale()
  const { isOffline, lostAt } = useConnection()
  if (!isOffline) return null
  const seenAt = lostAt === null ? null : seenTime(lostAt, moments)
  const lost = () => (seenAt === null ? t('offlineEarlier') : t('offline', { time: asName(seenAt) }))
  return <Banner icon={WifiOff}>{lostAt === null ? t('offlineNever') : lost()}</Banner>
}

/** When the shown data was the newest, with its date where that is not clear; null if the device's clock was set back since. */
function seenTime(at: number, moments: MomentFormat): string | null {
  const ageMs = Date.now() - at
  if (ageMs < 0) return null
  return ageMs < HALF_DAY_MS ? moments.time(at) : moments.dateTime(at)
}

const HALF_DAY_MS = 12 * 3_600_000

/** Offers to reload the page: for a new version, or because this one is too old or incomplete. */
function VersionBanner() {
  const t = useTranslations('app')
  const isOffline = useConnection((state) => state.isOffline)
  const { update, isOutdated, reload } = useAppVersion()
  const isPartMissing = useMissingPart(({ isMissing }) => isMissing)
  const text = isOutdated
    ? 'tooOld'
    : update !== 'none'
      ? update === 'ready'
        ? 'updateReady'
        : 'updateReplaced'
      : // Without a connection a reload would not bring the part either.
        isPartMissing && !isOffline
        ? 'partMissing'
        : null
  if (text === null) return null
  return (
    <Banner icon={RefreshCw}>
      {t(text)}{' '}
      <button type="button" onClick={reload} className="min-h-11 px-2 font-bold underline">
        {t(text === 'updateReady' ? 'update' : 'reload')}
      </button>
    </Banner>
  )
}

/** Shows on every screen that an operator has halted or restricted trading, and why. */
function PausedBanner() {
  const t = useTranslations('market')
  const { mode, reason } = useTrading()
  if (mode !== 'halted' && mode !== 'reduceOnly') return null
  return <Banner icon={CirclePause}>{t(mode, { reason })}</Banner>
}

/** Announces on every screen, also to visitors, that an operator recovers a log-in without the approval of two operators. */
function RecoveryBanner() {
  const t = useTranslations('app')
  const { moments } = useLocale()
  const info = useBasicInfo()
  if (!info || info.recoveryAt === null) return null
  return (
    <Banner icon={KeyRound}>
      {t('recovery', { time: asName(moments.dateTime(info.recoveryAt)), reason: info.recoveryReason })}
    </Banner>
  )
}

/** Shows on every screen that an operator has restricted the account, and why. */
function RestrictedBanner() {
  const t = useTranslations('account')
  const restriction = useUser()?.restriction
  return (
    restriction && <Banner icon={Lock}>{t(`restricted.${restriction.status}`, { ...restriction })}</Banner>
  )
}

const KEYS = [
  { name: 'search', keys: ['/'] },
  { name: 'ticket', keys: ['t'] },
  { name: 'orders', keys: ['o'] },
  { name: 'rows', keys: ['↑', '↓'] },
  { name: 'star', keys: ['→'] },
  { name: 'open', keys: ['Enter'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'help', keys: ['?'] },
] as const

/** The keyboard shortcuts of the desktop; `?` lists them. None of them places an order. */
function Shortcuts({ onTicket }: { onTicket: () => void }) {
  const t = useTranslations('app')
  const [isOpen, setIsOpen] = useState(false)
  useHotkey(
    '?',
    useCallback(() => setIsOpen(true), []),
  )
  useHotkey(isOpen ? null : 't', onTicket)
  useHotkey(isOpen ? null : 'o', toOrders)
  return (
    <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('shortcuts')} closeLabel={t('close')}>
      <dl className="divide-y divide-line pb-2">
        {KEYS.map(({ name, keys }) => (
          <div key={name} className="flex min-h-11 items-center justify-between gap-4 py-1.5">
            <dt>{t(`shortcut.${name}`)}</dt>
            <dd dir="ltr" className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid min-w-7 place-items-center rounded-[6px] px-1.5 py-0.5 font-sans text-note font-medium ring-1 ring-line ring-inset"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}

const toOrders = () => navigate('/order')
