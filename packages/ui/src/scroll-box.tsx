import { createContext, type ReactNode, type RefObject, use, useLayoutEffect, useRef } from 'react'
import { useLocation } from './router.tsx'

const BoxContext = createContext<RefObject<HTMLElement | null>>({ current: null })

/** The scroll box this is in. */
export const useScrollBox = (): RefObject<HTMLElement | null> => use(BoxContext)

type ScrollBoxProps = { className?: string; children: ReactNode }

/** A part of the screen that scrolls by itself and keeps its place. */
export function ScrollBox({ className, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={box}
      data-scroll-box
      className={`h-full overflow-x-hidden overflow-y-auto overscroll-y-contain ${className ?? ''}`}
    >
      <BoxContext value={box}>{children}</BoxContext>
    </div>
  )
}

/** Every navigation begins at the top. */
export function useScrollToTop<Frame extends HTMLElement>() {
  const frame = useRef<Frame>(null)
  const { key } = useLocation()
  const isNew = useRef(true)
  useLayoutEffect(() => {
    // A new box is at its top. To scroll it would lay out the page at once, in the midst of what a phone is busy with.
    if (isNew.current) {
      isNew.current = false
      return
    }
    for (const box of frame.current?.querySelectorAll('[data-scroll-box]') ?? []) box.scrollTo(0, 0)
  }, [key])
  return frame
}
