import { createContext, type ReactNode, type RefObject, use, useLayoutEffect, useRef } from 'react'
import { useLocation } from './router.tsx'

const BoxContext = createContext<RefObject<HTMLElement | null>>({ current: null })

/** The enclosing scroll box. */
export const useScrollBox = (): RefObject<HTMLElement | null> => use(BoxContext)

type ScrollBoxProps = { className?: string; children: ReactNode }

/** A part of the screen that scrolls on its own. */
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

/** Scrolls to the top on every navigation. */
export function useScrollToTop<Frame extends HTMLElement>() {
  const frame = useRef<Frame>(null)
  const { key } = useLocation()
  const isNew = useRef(true)
  useLayoutEffect(() => {
    // A new box is at its top already; scrolling it would force a layout during the first render.
    if (isNew.current) {
      isNew.current = false
      return
    }
    for (const box of frame.current?.querySelectorAll('[data-scroll-box]') ?? []) box.scrollTo(0, 0)
  }, [key])
  return frame
}
