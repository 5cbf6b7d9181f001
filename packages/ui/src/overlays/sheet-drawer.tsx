import { Drawer } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'
import { Icon } from '../graphics/icon.tsx'
import { iconButtonClass } from '../controls/icon-button.tsx'
import { TOAST_OBSTACLE } from '../layout/toast-obstacle.ts'
import { withNames } from '../figures/names.tsx'

export type SheetDrawerProps = {
  isOpen: boolean
  onClose: () => void
  /** Names the sheet; shown unless the content has a heading of its own. */
  title: string
  isTitleHidden?: boolean
  closeLabel: string
  side?: 'bottom' | 'start'
  children: ReactNode
}

const viewports = {
  bottom: 'items-end justify-center desktop:items-center desktop:p-6',
  start: 'items-stretch justify-start',
}

// Base UI slides along the physical axis; in right-to-left pages the leading edge is on the right.
const popups = {
  bottom:
    'max-h-[88dvh] w-full rounded-t-sheet pb-[max(1rem,env(safe-area-inset-bottom))] desktop:max-w-md desktop:rounded-sheet [transform:translateY(var(--drawer-swipe-movement-y))] data-starting-style:[transform:translateY(100%)] data-ending-style:[transform:translateY(100%)]',
  start:
    'h-full w-80 max-w-[86vw] rounded-e-sheet [transform:translateX(var(--drawer-swipe-movement-x))] data-starting-style:[transform:translateX(-100%)] data-ending-style:[transform:translateX(-100%)] rtl:data-starting-style:[transform:translateX(100%)] rtl:data-ending-style:[transform:translateX(100%)]',
}

const isRightToLeft = () => document.documentElement.dir === 'rtl'

export function SheetDrawer(props: SheetDrawerProps) {
  const side = props.side ?? 'bottom'
  // Opens one paint after mounting, so that the first opening is animated too.
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setIsOpen(props.isOpen), [props.isOpen])
  return (
    <Drawer.Root
      open={isOpen}
      onOpenChange={(open) => !open && props.onClose()}
      swipeDirection={side === 'bottom' ? 'down' : isRightToLeft() ? 'right' : 'left'}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 bg-scrim opacity-[calc(1-var(--drawer-swipe-progress))] transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0 data-swiping:duration-0" />
        <Drawer.Viewport className={classNames('fixed inset-0 flex', viewports[side])}>
          <Drawer.Popup
            {...TOAST_OBSTACLE}
            className={classNames(
              'flex flex-col overflow-hidden bg-surface text-ink outline-none transition-transform duration-200 data-swiping:duration-0 data-swiping:select-none',
              popups[side],
            )}
          >
            {side === 'bottom' && (
              <span className="mx-auto mt-2 h-1 w-10 shrink-0 rounded-full bg-line desktop:hidden" />
            )}
            <Drawer.Content className="flex min-h-0 flex-col overflow-y-auto overscroll-contain px-4 pb-2">
              <Heading {...props} />
              {props.children}
            </Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}

const Heading = ({ title, isTitleHidden = false, closeLabel }: SheetDrawerProps) => (
  <div
    className={classNames(
      'sticky top-0 z-10 flex items-center justify-between gap-2 bg-surface',
      isTitleHidden ? 'h-0 justify-end' : 'py-2',
    )}
  >
    <Drawer.Title className={isTitleHidden ? 'sr-only' : 'text-title font-bold'}>
      {withNames(title)}
    </Drawer.Title>
    <Drawer.Close
      aria-label={closeLabel}
      className={classNames(
        iconButtonClass(),
        'text-second',
        isTitleHidden ? 'sr-only focus:not-sr-only' : '-me-3',
      )}
    >
      <Icon of={X} />
    </Drawer.Close>
  </div>
)
