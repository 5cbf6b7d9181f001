import type { DeskSelf } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { BrandMark } from '@fairlot/ui/brand-mark.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'
import { NOTICE_FLOOR } from '@fairlot/ui/notice-floor.ts'
import { NavLink } from 'react-router'
import { OwnMenu } from './own-menu.tsx'
import type { Section } from './sections.tsx'

/** What the rail and the phone's bar show. */
export type Frame = { self: DeskSelf; sections: readonly Section[]; minutesLeft: number }

/** The parts of the desk at the leading edge, and at its foot who is here. */
export const Rail = ({ self, sections, minutesLeft }: Frame) => (
  <div className="flex w-48 shrink-0 flex-col border-e border-line bg-surface p-3 desktop:w-52">
    <div className="flex items-center gap-2.5 px-2 pt-1 pb-4">
      <Brand />
    </div>
    <SectionLinks sections={sections} />
    <div {...NOTICE_FLOOR} className="mt-auto">
      <OwnMenu self={self} minutesLeft={minutesLeft} />
    </div>
  </div>
)

export const Brand = () => (
  <>
    <BrandMark size={22} />
    <span className="text-title font-bold">Fairlot</span>
    <Badge tone="brass">desk</Badge>
  </>
)

type SectionLinksProps = { sections: readonly Section[]; onGo?: () => void }

export const SectionLinks = ({ sections, onGo }: SectionLinksProps) => (
  <nav aria-label="Parts of the desk" className="flex min-h-0 flex-col overflow-y-auto">
    {sections.map(({ path, title, Count }) => (
      <NavLink
        key={path}
        to={`/${path}`}
        onClick={onGo}
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
