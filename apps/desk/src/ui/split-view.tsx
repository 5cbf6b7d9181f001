import { translateOf } from '@fairlot/ui/figures/verbatim.ts'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { TOAST_OBSTACLE } from '@fairlot/ui/layout/toast-obstacle.ts'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { withNames } from '@fairlot/ui/figures/names.tsx'
import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'

type SplitViewProps = {
  /** The list. */
  children: ReactNode
  /** The open row; null closes the detail. */
  detail: { name: string; body: ReactNode; actions?: ReactNode } | null
  onClose: () => void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(input|textarea|select)$/i.test(target.tagName)

/** Escape closes the detail, unless a field or a dialog above handles it. */
function useEscape(isEnabled: boolean, onClose: () => void): void {
  useEffect(() => {
    const listen = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isAbove = document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]')
      if (key === 'Escape' && !defaultPrevented && !isTyping(target) && !isAbove) onClose()
    }
    if (!isEnabled) return
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isEnabled, onClose])
}

/**
 * A list with the detail of its open row: a column on a wide screen, over the end of the list on a smaller one, and full-screen on
 * a phone, where it takes the focus and returns it when closed.
 */
export function SplitView({ children, detail, onClose }: SplitViewProps) {
  const isBeside = useMediaQuery('(min-width: 72rem)')
  const isOpen = detail !== null
  useEscape(isOpen, onClose)
  return (
    <div className="relative flex h-full min-w-0">
      <div className="min-w-0 flex-1" inert={isOpen && !isBeside}>
        {children}
      </div>
      {detail && (
        <Detail isBeside={isBeside} onClose={onClose} {...detail}>
          {detail.body}
        </Detail>
      )}
    </div>
  )
}

type DetailProps = {
  name: string
  isBeside: boolean
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}

function Detail({ name, isBeside, actions, onClose, children }: DetailProps) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isBeside) return
    const before = document.activeElement
    element.current?.focus()
    return () => void (before instanceof HTMLElement && before.focus())
  }, [isBeside])
  return (
    <aside
      ref={element}
      aria-label={name}
      tabIndex={-1}
      className="fixed inset-0 z-20 flex flex-col bg-surface outline-none tablet:start-auto tablet:w-[26rem] tablet:border-s tablet:border-line wide:static wide:w-96 wide:shrink-0"
    >
      <div className="absolute end-2 top-2 z-10 wide:hidden">
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-5 pb-4 break-words">
        {children}
      </div>
      {actions && (
        <div
          {...TOAST_OBSTACLE}
          className="flex gap-2 px-5 pt-2 pb-[max(1.25rem,env(safe-area-inset-bottom))] *:flex-1"
        >
          {actions}
        </div>
      )}
    </aside>
  )
}

type DetailHeadProps = {
  /** The small line above, such as `Operator 7`. */
  kind: string
  /** The main line: an amount or a name. */
  title: ReactNode
  /** Small, after the title. */
  unit?: string
  badge?: ReactNode
}

/** The header of a detail. */
export const DetailHead = ({ kind, title, unit, badge }: DetailHeadProps) => (
  <header className="pe-10 wide:pe-0">
    <div className="flex items-start justify-between gap-3">
      <p className="min-w-0 text-tiny text-second">{withNames(kind)}</p>
      {badge}
    </div>
    <h2 className="text-figure font-bold">
      <span translate={translateOf(title)}>{withNames(title)}</span>{' '}
      {unit && (
        <span translate={translateOf(unit)} className="text-note font-medium text-second">
          {withNames(unit)}
        </span>
      )}
    </h2>
  </header>
)

/** A box with a title, for a note or a text that users see. */
export const TitledBox = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="rounded-card bg-page px-3.5 py-3 text-note">
    <h3 className="font-medium text-second">{withNames(title)}</h3>
    {children}
  </section>
)
