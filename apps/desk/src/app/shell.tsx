import type { DeskSelf } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { BrandMark } from '@fairlot/ui/graphics/brand-mark.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { TOAST_OBSTACLE } from '@fairlot/ui/layout/toast-obstacle.ts'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { Menu, SearchX } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router'
import { PasskeysDialog } from '../features/auth/passkeys.tsx'
import { PasswordDialog } from '../features/auth/password-dialog.tsx'
import { useIdleCountdown } from '../live/idle.ts'
import { logOut, useSelf } from '../live/session.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { OperatorBanners } from './operator-banners.tsx'
import { type Section, sectionsFor } from './sections.tsx'
import { ROLE_NAMES } from '../ui/operator-names.ts'

/** The frame of the desk: a side bar beside the screens, or a bar above them on a phone. */
export function Shell() {
  const self = useSelf()
  const minutesLeft = useIdleCountdown(self)
  const isWide = useMediaQuery('(min-width: 48rem)')
  const sections = sectionsFor(self.role)
  const bar = { self, sections, minutesLeft }
  return (
    <div className="flex h-dvh flex-col tablet:flex-row">
      <PageTitle />
      {isWide ? <SideBar {...bar} /> : <PhoneBar {...bar} />}
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <OperatorBanners />
        <div className="min-h-0 flex-1">
          <Suspense fallback={<Loading />}>
            <Routes>
              <Route index element={<Navigate to={`/${sections[0]?.path ?? ''}`} replace />} />
              {sections.map(({ path, Screen }) => (
                <Route
                  key={path}
                  path={`${path}/*`}
                  element={
                    <ErrorBoundary key={path}>
                      <Screen />
                    </ErrorBoundary>
                  }
                />
              ))}
              <Route path="*" element={<PageNotFound />} />
            </Routes>
          </Suspense>
        </div>
      </main>
    </div>
  )
}

function PageTitle() {
  const { pathname } = useLocation()
  const { role } = useSelf()
  const section = sectionsFor(role).find(({ path }) => pathname.startsWith(`/${path}`))
  useEffect(() => {
    document.title = section ? `${section.title} · Fairlot desk` : 'Fairlot desk'
  }, [section])
  return null
}

const Loading = () => (
  <div role="status" aria-label="Loading" className="flex flex-col gap-4 p-5">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

const PageNotFound = () => (
  <EmptyState icon={SearchX} title="Page not found" text="It does not exist, or your role cannot see it." />
)

type BarProps = { self: DeskSelf; sections: readonly Section[]; minutesLeft: number }

/** The sections of the desk, with the operator's own menu at the bottom. */
const SideBar = ({ self, sections, minutesLeft }: BarProps) => (
  <div className="flex w-48 shrink-0 flex-col border-e border-line bg-surface p-3 desktop:w-52">
    <div className="flex items-center gap-2.5 px-2 pt-1 pb-4">
      <Brand />
    </div>
    <SectionLinks sections={sections} />
    <div {...TOAST_OBSTACLE} className="mt-auto">
      <OperatorMenu self={self} minutesLeft={minutesLeft} />
    </div>
  </div>
)

const Brand = () => (
  <>
    <BrandMark size={22} />
    <span className="text-title font-bold">Fairlot</span>
    <Badge tone="brass">desk</Badge>
  </>
)

type SectionLinksProps = { sections: readonly Section[]; onFollow?: () => void }

const SectionLinks = ({ sections, onFollow }: SectionLinksProps) => (
  <nav aria-label="Sections" className="flex min-h-0 flex-col overflow-y-auto">
    {sections.map(({ path, title, Count }) => (
      <NavLink
        key={path}
        to={`/${path}`}
        onClick={onFollow}
        className={({ isActive }) =>
          classNames(
            'flex min-h-11 items-center justify-between rounded-field px-3 font-medium desktop:min-h-10',
            isActive ? 'bg-page font-bold text-ink' : 'text-second hover:text-ink',
          )
        }
      >
        {title}
        {Count && (
          <span className="text-note font-bold text-brass">
            <Count />
          </span>
        )}
      </NavLink>
    ))}
  </nav>
)

/** The side bar on a phone: a bar above the screen with a menu. */
function PhoneBar({ self, sections, minutesLeft }: BarProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <div className="flex items-center gap-2.5 bg-surface px-4 py-1">
      <Brand />
      <span className="ms-auto -me-2">
        <IconButton icon={Menu} label="Menu" aria-expanded={isOpen} onClick={() => setIsOpen(true)} />
      </span>
      <Sheet isOpen={isOpen} onClose={close} title="Menu" closeLabel="Close" side="start">
        <SectionLinks sections={sections} onFollow={close} />
        <div className="pt-4">
          <OperatorMenu self={self} minutesLeft={minutesLeft} />
        </div>
      </Sheet>
    </div>
  )
}

/** The operator and the remaining session time, with a menu for their account. */
function OperatorMenu({ self, minutesLeft }: { self: DeskSelf; minutesLeft: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const [dialog, setDialog] = useState<'password' | 'passkeys' | null>(null)
  return (
    <div>
      {isOpen && (
        <div className="flex flex-col gap-1 pb-2">
          <Button tone="outline" size="small" onClick={() => setDialog('password')}>
            Change password
          </Button>
          <Button tone="outline" size="small" onClick={() => setDialog('passkeys')}>
            Passkeys
          </Button>
          <Button tone="outline" size="small" onClick={() => void logOut()}>
            Log out
          </Button>
        </div>
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2.5 rounded-field px-1 py-1 text-start"
      >
        <span
          aria-hidden
          translate="no"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-ink text-note font-bold text-on-ink"
        >
          {self.name.slice(0, 1).toUpperCase()}
        </span>
        <span className="min-w-0 text-note">
          <Name className="block truncate font-bold">{self.name}</Name>
          <span className="block text-tiny text-second">
            {ROLE_NAMES[self.role]} · {minutesLeft} min left
          </span>
        </span>
      </button>
      {dialog === 'password' && <PasswordDialog onClose={() => setDialog(null)} />}
      {dialog === 'passkeys' && <PasskeysDialog onClose={() => setDialog(null)} />}
    </div>
  )
}
